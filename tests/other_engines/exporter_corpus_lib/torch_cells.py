"""Recurrent cells as people write them themselves: one step each."""

import torch
from torch import nn
from torch.nn import functional

INPUT, HIDDEN = 5, 8


class JoinedLstm(nn.Module):
    """One product of x and h side by side; gates in the order i, g, f, o."""

    def __init__(self):
        super().__init__()
        self.gates = nn.Linear(INPUT + HIDDEN, 4 * HIDDEN)

    def forward(self, x, state):
        h, c = state
        i, g, f, o = self.gates(torch.cat([x, h], 1)).chunk(4, 1)
        c = torch.sigmoid(f + 1) * c + torch.sigmoid(i) * torch.tanh(g)
        return torch.sigmoid(o) * torch.tanh(c), c


class SeparateLstm(nn.Module):
    """A product for each gate."""

    def __init__(self):
        super().__init__()
        self.x = nn.ModuleList(nn.Linear(INPUT, HIDDEN) for _ in range(4))
        self.h = nn.ModuleList(nn.Linear(HIDDEN, HIDDEN, bias=False) for _ in range(4))

    def forward(self, x, state):
        h, c = state
        i, f, g, o = (a(x) + b(h) for a, b in zip(self.x, self.h))
        c = f.sigmoid() * c + i.sigmoid() * g.tanh()
        return o.sigmoid() * c.tanh(), c


class NormalizedLstm(nn.Module):
    def __init__(self):
        super().__init__()
        self.x, self.h = nn.Linear(INPUT, 4 * HIDDEN), nn.Linear(HIDDEN, 4 * HIDDEN, bias=False)
        self.x_norm, self.h_norm = nn.LayerNorm(4 * HIDDEN), nn.LayerNorm(4 * HIDDEN)
        self.c_norm = nn.LayerNorm(HIDDEN)

    def forward(self, x, state):
        h, c = state
        i, f, g, o = (self.x_norm(self.x(x)) + self.h_norm(self.h(h))).chunk(4, 1)
        c = self.c_norm(f.sigmoid() * c + i.sigmoid() * g.tanh())
        return o.sigmoid() * c.tanh(), c


class PeepholeLstm(SeparateLstm):
    def __init__(self):
        super().__init__()
        self.peepholes = nn.Parameter(torch.randn(3, HIDDEN))

    def forward(self, x, state):
        h, c = state
        i, f, g, o = (a(x) + b(h) for a, b in zip(self.x, self.h))
        i, f = (i + self.peepholes[0] * c).sigmoid(), (f + self.peepholes[1] * c).sigmoid()
        c = f * c + i * g.tanh()
        return (o + self.peepholes[2] * c).sigmoid() * c.tanh(), c


class CoupledLstm(SeparateLstm):
    """The input gate is 1 - f."""

    def forward(self, x, state):
        h, c = state
        _, f, g, o = (a(x) + b(h) for a, b in zip(self.x, self.h))
        f = f.sigmoid()
        c = f * c + (1 - f) * g.tanh()
        return o.sigmoid() * c.tanh(), c


class HardLstm(SeparateLstm):
    def forward(self, x, state):
        h, c = state
        i, f, g, o = (a(x) + b(h) for a, b in zip(self.x, self.h))
        hard = functional.hardsigmoid
        c = hard(f) * c + hard(i) * g.tanh()
        return hard(o) * c.tanh(), c


class MinimalGru(nn.Module):
    """One gate."""

    def __init__(self):
        super().__init__()
        self.f, self.g = (nn.Linear(INPUT + HIDDEN, HIDDEN) for _ in range(2))

    def forward(self, x, h):
        f = torch.sigmoid(self.f(torch.cat([x, h], 1)))
        g = torch.tanh(self.g(torch.cat([x, f * h], 1)))
        return (1 - f) * h + f * g


class ClassicGru(nn.Module):
    """The reset gate before the product, as in the first papers; h + z * (g - h)."""

    def __init__(self):
        super().__init__()
        self.gates = nn.Linear(INPUT + HIDDEN, 2 * HIDDEN)
        self.g = nn.Linear(INPUT + HIDDEN, HIDDEN)

    def forward(self, x, h):
        r, z = torch.sigmoid(self.gates(torch.cat([x, h], 1))).chunk(2, 1)
        g = torch.tanh(self.g(torch.cat([x, r * h], 1)))
        return h + z * (g - h)
