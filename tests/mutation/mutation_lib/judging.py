"""Runs the tests that reach a mutant until one fails."""

import concurrent.futures
import dataclasses

from . import ctests

EXTRA_SECONDS = 30
TIMES = 15  # a test may take as many times what it takes without the mutant


@dataclasses.dataclass
class Verdict:
    number: int
    reached_by: int  # tests
    caught_by: str = ""
    how: str = ""
    needs_models: bool = False


class Judge:
    def __init__(self, tests, traces, models):
        self.tests = [one for one in tests if traces[one.name].usable]
        self.traces = traces
        self.seconds = {name: trace.seconds for name, trace in traces.items()}
        self.models = models

    def judge(self, number):
        reaching = [one for one in self.tests if number in self.traces[one.name].reached]
        verdict = Verdict(number, len(reaching))
        for needs_models in (False, True):
            those = [one for one in reaching
                     if self.traces[one.name].needs_models == needs_models]
            for group in ctests.chunks(those, self.seconds):
                if self.catches(group, verdict):
                    verdict.needs_models = needs_models
                    return verdict
        return verdict

    def catches(self, group, verdict):
        outcome = self.run(group, verdict.number)
        if outcome.passed:
            return False
        case = ctests.last_case(outcome.output)
        suspects = sorted(group, key=lambda one: one.name != case)
        return any(self.is_caught_alone(one, verdict) for one in suspects)

    def is_caught_alone(self, test, verdict):
        """It fails alone, and passes without the mutant."""
        outcome = self.run([test], verdict.number)
        if outcome.passed or not self.run([test], 0).passed:
            return False
        verdict.caught_by = test.name
        verdict.how = outcome.why
        return True

    def run(self, group, number):
        needs_models = self.traces[group[0].name].needs_models
        environment = {"MUTATION_ACTIVE": str(number),
                       "RONDO_MODELS": self.models if needs_models else ""}
        seconds = sum(self.seconds[one.name] for one in group)
        return ctests.run(ctests.joined(group), environment, TIMES * seconds + EXTRA_SECONDS)


def judge_all(judge, numbers, jobs, note):
    """The verdict of each mutant; `note` sees each as it comes."""
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for task in concurrent.futures.as_completed([pool.submit(judge.judge, number)
                                                     for number in numbers]):
            note(task.result())
