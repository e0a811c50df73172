"""Proofs of deductions from the rows of the matrix: plain, slow, and apart from how deductions are found."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from exactcover.reasons.position import Balance, Finding, Position, list_bits


def proves(position: Position, finding: Finding, *, chooses: bool) -> bool:
    """Return whether the truths and links of a finding settle its options, with no look at any other item.

    If the finding `chooses`, the options must be chosen; otherwise none of them can be.
    """
    rules = _Rules(position, finding)
    if chooses:
        return rules.need_all(finding.options)
    if finding.balance is not None:
        return all(rules.refute_by_weights(option, finding.balance) for option in finding.options)
    return all(map(rules.refute, finding.options)) or rules.fill_links(finding.options)


class _Taken:
    """Options that are taken one after another, and the colors in which they cover each item."""

    def __init__(self, rows: Mapping[int, Sequence[tuple[int, int]]], options: Sequence[int]) -> None:
        self._rows = rows
        self.options = set[int]()
        self.colors = defaultdict[int, list[int]](list)
        for option in options:
            self.add(option)

    def add(self, option: int) -> None:
        """Take an option."""
        self.options.add(option)
        for item, color in self._rows[option]:
            self.colors[item].append(color)


class _Rules:
    """The truths and links of a finding, and the options left that cover any of them."""

    def __init__(self, position: Position, finding: Finding) -> None:
        matrix, self._sets = position.sets.matrix, position.sets
        self._truths, self._links, self._broken = finding.truths, finding.links, finding.broken
        self._alive, self._chosen = [*list_bits(position.alive)], [*list_bits(position.chosen)]
        self._items = {*finding.truths, *finding.links}
        self._rows = {
            option: [pair for pair in matrix.option(option) if pair[0] in self._items]
            for option in list_bits(position.held(self._items))
        }
        self._times = {option: Counter(item for item, _ in row) for option, row in self._rows.items()}
        self._stop = position.stop
        self._uses = {item: position.sets.covers(item, position.chosen) for item in self._items}

    def _need(self, truth: int) -> int:
        return self._sets.low[truth] - self._uses[truth]

    def need_all(self, options: Sequence[int]) -> bool:
        """Return whether a truth can do without none of these options."""
        (truth,) = self._truths
        slack = sum(self._times[option][truth] for option in self._rows) - self._need(truth)
        return all(self._times[option][truth] > slack for option in options)

    def refute(self, option: int) -> bool:
        """Return whether an option forces others until a truth is left with too few options, or a rule is broken."""
        if option not in self._rows:
            return False
        taken = _Taken(self._rows, [option])
        left = list(self._rows)
        while True:
            self._stop.poll()
            left = [one for one in left if one not in taken.options and self._fits(one, taken)]
            forced = dict[int, None]()
            for truth in self._truths:
                holders = [(one, times) for one in left if (times := self._times[one][truth])]
                need = self._need(truth) - len(taken.colors[truth])
                slack = sum(times for _, times in holders) - need
                if slack < 0:
                    return True
                forced.update((one, None) for one, times in holders if times > slack)
            if not forced:
                return self._is_broken(taken)
            for one in forced:
                if self._fits(one, taken):  # of two that exclude each other, the other one's truth is short next
                    taken.add(one)

    def refute_by_weights(self, option: int, balance: Balance) -> bool:
        """Return whether the options that fit beside one weigh nothing each, but what they must cover does."""

        def weighs(times: Mapping[int, int]) -> bool:
            pairs = zip(self._truths, balance.weights, strict=True)
            total = sum(weight * times.get(truth, 0) for truth, weight in pairs)
            return bool(total % balance.modulus if balance.modulus else total)

        if any(self._sets.low[truth] != self._sets.high[truth] for truth in self._truths):
            return False
        own = self._times.get(option, Counter())
        needed = {truth: self._need(truth) - own[truth] for truth in self._truths}
        taken = _Taken(self._rows, [option] if option in self._rows else [])
        fitting = (one for one in self._rows if one != option and self._fits(one, taken))
        return weighs(needed) and not any(weighs(self._times[one]) for one in fitting)

    def _is_broken(self, taken: _Taken) -> bool:
        """Return whether what a fault names holds once some options are chosen, and breaks the rule by itself."""
        if self._broken is None:
            return False
        look, fault = self._broken
        chosen = [*self._chosen, *taken.options]
        rest = [one for one in self._alive if one not in taken.options]
        fitting = [one for one in rest if one not in self._rows or self._fits(one, taken)]
        return look.stated.is_broken_by(fault, chosen, [*chosen, *fitting])

    def _fits(self, option: int, taken: _Taken) -> bool:
        """Return whether an option can be chosen beside others, as far as the rules say."""
        for item, color in self._rows[option]:
            others = taken.colors[item]
            if not others:
                continue
            if item >= self._sets.matrix.primary:
                if any(not color or color != its for its in others):
                    return False
            elif len(others) + self._uses[item] + self._times[option][item] > self._sets.high[item]:
                return False
        return True

    def fill_links(self, options: Sequence[int]) -> bool:
        """Return whether the truths need all that the links allow, so that nothing can take more of the links."""
        room = sum(self._sets.high[link] - self._uses[link] for link in self._links)
        colors = {color for row in self._rows.values() for item, color in row if item in self._links}
        if room != sum(map(self._need, self._truths)) or any(colors):  # which several options may share
            return False

        def exceed(option: int) -> int:
            return sum((item in self._links) - (item in self._truths) for item, _ in self._rows[option])

        return all(exceed(option) >= 0 for option in self._rows) and all(exceed(option) > 0 for option in options)
