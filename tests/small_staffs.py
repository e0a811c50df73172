"""Small staffing problems, and their plans from the rules alone, by trying every plan."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from typing import Any

Plan = tuple[tuple[str, ...], ...]
"""The shift of each person on each day; - for none."""

HOURS = {"a": (6, 14), "b": (14, 22), "c": (22, 30)}


def draw_staff(chance: random.Random) -> dict[str, Any]:
    """Return the facts of a random problem: at most three people, four days and three shifts."""
    shifts = list(HOURS)[: chance.randint(1, 3)]
    people, days = chance.choice(
        [(1, 4), (2, 3), (2, 4), (3, 2)] if len(shifts) < 3 else [(1, 4), (2, 2), (2, 3), (3, 2)]
    )

    def some_days() -> list[int]:
        return [day for day in range(1, days + 1) if chance.random() < 0.2]

    def maybe_range(most: int) -> tuple[int, int] | None:
        low = chance.randint(0, 1)
        return None if chance.random() < 0.5 else (low, chance.randint(max(1, low), most))

    return {
        "days": days,
        "rest": chance.choice([0, 8, 11, 24, 40]),
        "run": chance.choice([None, None, 1, 2]),
        "wish": chance.choice([1, 10]),
        "hours": chance.random() < 0.8,
        "shifts": {
            name: {"needs": (low := chance.choice([0, 0, 1, 1, 2]), low + chance.choice([0, 1, 1]) or 1),
                   "skilled": chance.choice([0, 0, 1])}
            for name in shifts
        },
        "special": {(chance.randint(1, days), shifts[0]): (0, 1)} if chance.random() < 0.3 else {},
        "people": [
            {"skilled": chance.random() < 0.5, "week": maybe_range(days), "total": maybe_range(days),
             "shifts": [one for one in shifts if chance.random() < 0.8], "away": some_days(), "free": some_days(),
             "avoid": [one for one in shifts if chance.random() < 0.2]}
            for _ in range(people)
        ],
    }  # fmt: skip


def write_staff(facts: dict[str, Any]) -> dict[str, Any]:
    """Return the facts as parameters of the family."""

    def range_text(pair: tuple[int, int] | None) -> str:
        return "" if pair is None else f"{pair[0]}-{pair[1]}"

    def words(values: list[Any]) -> str:
        return " ".join(map(str, values))

    people = [
        ",".join([f"P{k}", "skill" * one["skilled"], range_text(one["week"]), range_text(one["total"]),
                  words(one["shifts"]), words(one["away"]), words(one["free"]), words(one["avoid"])])
        for k, one in enumerate(facts["people"])
    ]  # fmt: skip
    shifts = []
    for name, one in facts["shifts"].items():
        hours = "{}-{}".format(*(hour % 24 for hour in HOURS[name])) if facts["hours"] else ""
        shifts.append(f"{name},{hours},{range_text(one['needs'])},{one['skilled']}")
    special = [f"{day},{name},{range_text(pair)}" for (day, name), pair in facts["special"].items()]
    return {
        "people": ("who,skills,week,total,shifts,away,free,avoid", *people),
        "shifts": ("shift,hours,needs,skill", *shifts),
        "special": ("day,shift,needs", *special) if special else (),
        **{name: facts[name] for name in ("days", "rest", "run", "wish")},
    }


def list_plans(facts: dict[str, Any]) -> Iterator[tuple[Plan, int]]:
    """Yield each plan that keeps the rules, with what its lost wishes cost."""
    for flat in itertools.product(("-", *facts["shifts"]), repeat=len(facts["people"]) * facts["days"]):
        days = facts["days"]
        plan = tuple(flat[start : start + days] for start in range(0, len(flat), days))
        if _has_people(plan, facts) and all(map(_may_work, plan, facts["people"], itertools.repeat(facts))):
            lost = sum(
                shift != "-" and (day in person["free"] or shift in person["avoid"])
                for row, person in zip(plan, facts["people"], strict=True)
                for day, shift in enumerate(row, 1)
            )
            yield plan, lost * facts["wish"]


def _has_people(plan: Plan, facts: dict[str, Any]) -> bool:
    for day in range(1, facts["days"] + 1):
        for name, shift in facts["shifts"].items():
            there = [person for row, person in zip(plan, facts["people"], strict=True) if row[day - 1] == name]
            low, high = facts["special"].get((day, name), shift["needs"])
            if not low <= len(there) <= high or sum(one["skilled"] for one in there) < min(shift["skilled"], high):
                return False
    return True


def _may_work(row: tuple[str, ...], person: dict[str, Any], facts: dict[str, Any]) -> bool:
    worked = [(day, shift) for day, shift in enumerate(row, 1) if shift != "-"]
    for day, shift in worked:
        if day in person["away"] or (person["shifts"] and shift not in person["shifts"]):
            return False
    for bounds in (person["week"], person["total"]):
        if bounds is not None and not bounds[0] <= len(worked) <= bounds[1]:
            return False
    if facts["hours"]:
        for (day, shift), (later, other) in itertools.combinations(worked, 2):
            if 24 * later + HOURS[other][0] - 24 * day - HOURS[shift][1] < facts["rest"]:
                return False
    run = facts["run"]
    return run is None or "x" * (run + 1) not in "".join("-" if shift == "-" else "x" for shift in row)
