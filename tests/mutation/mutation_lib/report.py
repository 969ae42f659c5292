"""The table of mutants: what was changed, and which test caught it."""


def counts(mutants, verdicts):
    judged = [verdicts[one.number] for one in mutants if one.number in verdicts]
    caught = [one for one in judged if one.caught_by]
    return {"judged": len(judged), "caught": len(caught),
            "by_models": sum(one.needs_models for one in caught),
            "unreached": sum(one.reached_by == 0 for one in judged)}


def summary(mutants, verdicts, seed, seconds):
    count = counts(mutants, verdicts)
    if not count["judged"]:
        return "no mutant has run"
    share = 100 * count["caught"] / count["judged"]
    return (f"Seed {seed}: {count['caught']} of {count['judged']} mutants are caught ({share:.1f} %), "
            f"{count['by_models']} of them by real models alone; "
            f"{count['unreached']} survivors are reached by no test; {seconds / 60:.0f} minutes.")


def outcome(verdict):
    if verdict.caught_by:
        models = " (real models)" if verdict.needs_models else ""
        return f"{verdict.caught_by} {verdict.how}{models}"
    return f"**survives** {verdict.reached_by} tests" if verdict.reached_by else "**not reached**"


def in_code(text):
    return "`" + text.replace("`", "'").replace("|", "\\|") + "`"


def table(mutants, verdicts):
    lines = ["| | where | what | outcome |", "|---:|---|---|---|"]
    for one in mutants:
        if one.number in verdicts:
            lines.append(f"| {one.number} | {one.file}:{one.line} | {in_code(one.what)} | "
                         f"{outcome(verdicts[one.number])} |")
    return lines
