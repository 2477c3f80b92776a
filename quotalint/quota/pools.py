"""Pools: quotas that count the same objects, and their common usage.

Quotas with the same scopes and namespaces have the same usage, so one sum per entry is enough for all of them. Of
several limits on an entry, only the smallest matters until an object does not fit.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from quotalint.kube.quantity import ZERO, Quantity
from quotalint.kube.resource_list import ResourceList
from quotalint.kube.resources import COMPUTE
from quotalint.kube.scopes import Requirement
from quotalint.named_tuples import NamedTuple
from quotalint.quota.charges import Charge
from quotalint.quota.fitting import objects_that_fit
from quotalint.quota.quotas import PoolKey, Quota


class Pool(NamedTuple):
    """Quotas that count the same objects."""

    key: PoolKey
    requirements: tuple[Requirement, ...]
    quotas: tuple[Quota, ...]
    least: Mapping[str, int]
    """The smallest limit of each entry, in 10^-9 units."""
    names: frozenset[str]

    @property
    def tightest(self) -> tuple[Quota, ...]:
        """The first quota with the smallest limit, for each entry. An object that fits these fits all quotas."""
        first_by_entry: dict[str, Quota] = {}
        for quota in self.quotas:
            for name, hard in quota.hard.items():
                if name not in first_by_entry and hard.nano == self.least[name]:
                    first_by_entry[name] = quota
        return tuple({quota.id: quota for quota in first_by_entry.values()}.values())


class Shortage(NamedTuple):
    """Why an object does not fit."""

    asked: ResourceList
    """The requested amounts that are compared: those above zero."""
    used: Mapping[PoolKey, ResourceList]
    """The usage of the pools without room."""
    exceeded: tuple[tuple[PoolKey, tuple[str, ...]], ...]
    """The exceeded entries, by pool."""


class Ledger:
    """The usage of the quotas of a cluster; it grows while objects are admitted."""

    def __init__(self, pools: Mapping[str, tuple[Pool, ...]], used: dict[PoolKey, dict[str, Quantity]]) -> None:
        self._pools = pools
        self._used = used
        # The entry holds the charge, so that no other charge can get the same `id`.
        self._matching: dict[int, tuple[Charge, tuple[Pool, ...]]] = {}
        self._tightest: dict[str, tuple[Quota, ...]] = {}
        self._by_key = {pool.key: pool for own_pools in pools.values() for pool in own_pools}

    @staticmethod
    def of(enforced: Mapping[str, Sequence[Quota]]) -> Ledger:
        """The ledger of these quotas, without usage."""
        pool_by_key: dict[PoolKey, Pool] = {}
        grouped: dict[PoolKey, list[Quota]] = {}
        for quotas in enforced.values():
            for quota in quotas:
                grouped.setdefault(quota.pool, []).append(quota)
        for key, quotas in grouped.items():
            own_quotas = tuple({quota.id: quota for quota in quotas}.values())
            pool_by_key[key] = Pool(
                key,
                own_quotas[0].requirements,
                own_quotas,
                _least(own_quotas),
                frozenset(name for quota in own_quotas for name in quota.hard),
            )
        by_namespace = {
            namespace: tuple(dict.fromkeys(quota.pool for quota in quotas)) for namespace, quotas in enforced.items()
        }
        pools = {namespace: tuple(pool_by_key[key] for key in keys) for namespace, keys in by_namespace.items()}
        return Ledger(pools, {key: {} for key in pool_by_key})

    def copy(self, namespace: str) -> Ledger:
        """A copy for one namespace that can change without changing this one."""
        pools = self._pools.get(namespace, ())
        copied = Ledger({namespace: pools}, {pool.key: dict(self._used[pool.key]) for pool in pools})
        copied._matching = self._matching
        return copied

    def with_larger_limits(self, more: Mapping[PoolKey, Mapping[str, int]]) -> Ledger:
        """A ledger with the same usage and larger limits: `more` has the increase of each pool's entries, in 10^-9
        units."""
        pools = {
            namespace: tuple(_enlarge_pool(pool, more.get(pool.key, {})) for pool in pools)
            for namespace, pools in self._pools.items()
        }
        return Ledger(pools, self._used)

    def used_by(self, quota: Quota) -> ResourceList:
        """The usage of a quota."""
        used = self._used.get(quota.pool, {})
        return {name: used.get(name, ZERO) for name in quota.hard}

    def settle(self, quota: Quota, used: ResourceList) -> None:
        """Sets the usage of a quota that has room for everything."""
        self._used[quota.pool].update({name: amount for name, amount in used.items() if amount.nano})

    def counted_in(self, namespace: str, charge: Charge) -> frozenset[PoolKey]:
        """The pools that count an object, even one that is not in the ledger."""
        return frozenset(pool.key for pool in self._pools.get(namespace, ()) if charge.matches(pool.requirements))

    def tightest(self, namespace: str) -> tuple[Quota, ...]:
        """The quotas of a namespace with the smallest limits: the first that an object can exceed."""
        if namespace not in self._tightest:
            tightest_by_pool = (pool.tightest for pool in self._pools.get(namespace, ()))
            self._tightest[namespace] = tuple(quota for quotas in tightest_by_pool for quota in quotas)
        return self._tightest[namespace]

    def limit(self, key: PoolKey, name: str) -> int:
        """The smallest limit of a pool on an entry, in 10^-9 units."""
        return self._by_key[key].least[name] if key in self._by_key else 0

    def names_for(self, namespace: str, charge: Charge) -> frozenset[str]:
        """The entries of all quotas that count an object."""
        return frozenset().union(*(pool.names for pool in self._matching_pools(namespace, charge)))

    def room(self, namespace: str, charge: Charge, most: int, *, later: bool = False) -> int:
        """How many of `most` objects fit. `later`: compute is not checked."""
        for pool in self._matching_pools(namespace, charge):
            most = min(most, self._room(pool, _requested_amounts(pool, charge, later=later)))
        return max(0, most)

    def room_together(
        self, namespace: str, wanted: Iterable[tuple[Charge, int]], most: int = 1, *, later: bool = False
    ) -> int:
        """How many sets fit; a set has the given number of objects of each charge."""
        asked_by_pool: dict[PoolKey, tuple[Pool, dict[str, int]]] = {}
        for charge, number in wanted:
            for pool in self._matching_pools(namespace, charge):
                _, asked = asked_by_pool.setdefault(pool.key, (pool, {}))
                for name, amount in _requested_amounts(pool, charge, later=later).items():
                    asked[name] = asked.get(name, 0) + amount * number
        for pool, asked in asked_by_pool.values():
            most = min(most, self._room(pool, asked))
        return max(0, most)

    def charge(self, namespace: str, charge: Charge, number: int, *, later: bool = False) -> None:
        """Adds this number of objects to the usage; a negative number removes them."""
        if not number:
            return
        for pool in self._matching_pools(namespace, charge):
            used = self._used[pool.key]
            for name in charge.each.keys() & pool.names:
                if later and name in COMPUTE:
                    continue
                amount, before = charge.each[name], used.get(name)
                if amount.nano:
                    format_ = before.format if before is not None and before.nano else amount.format
                    used[name] = Quantity((before.nano if before else 0) + amount.nano * number, format_)

    def bind(self, namespace: str, charge: Charge, number: int) -> int:
        """Binds up to `number` pods to nodes, as far as compute quotas have room, and charges their compute. Returns
        how many are bound; the others stay Pending."""
        for pool in self._matching_pools(namespace, charge):
            asked = {
                name: amount
                for name, amount in _requested_amounts(pool, charge, later=False).items()
                if name in COMPUTE
            }
            number = min(number, self._room(pool, asked))
        number = max(0, number)
        for pool in self._matching_pools(namespace, charge):
            used = self._used[pool.key]
            for name in charge.each.keys() & pool.names & COMPUTE:
                each_amount, before = charge.each[name], used.get(name)
                used[name] = Quantity((before.nano if before else 0) + each_amount.nano * number, each_amount.format)
        return number

    def shortage(self, namespace: str, charge: Charge, *, later: bool = False) -> Shortage:
        """Why one more object does not fit."""
        used: dict[PoolKey, ResourceList] = {}
        exceeded = []
        for pool in self._matching_pools(namespace, charge):
            pool_usage = self._used[pool.key]
            asked = _requested_amounts(pool, charge, later=later)
            names = tuple(
                sorted(name for name in asked if _used_nano(pool_usage, name) + asked[name] > pool.least.get(name, 0))
            )
            if names:
                used[pool.key] = dict(pool_usage)
                exceeded.append((pool.key, names))
        compared = {
            name: amount for name, amount in charge.each.items() if amount.nano > 0 and not (later and name in COMPUTE)
        }
        return Shortage(compared, used, tuple(exceeded))

    def quotas_of(self, shortage: Shortage | None, namespace: str) -> tuple[Quota, ...]:
        """The quotas without room, in their order; empty if there is no shortage."""
        if shortage is None:
            return ()
        exceeded_quotas: list[Quota] = []
        by_key = {pool.key: pool for pool in self._pools.get(namespace, ())}
        for key, names in shortage.exceeded:
            used = shortage.used[key]
            asked = {name: _used_nano(used, name) + shortage.asked[name].nano for name in names}
            quotas = by_key[key].quotas if key in by_key else ()
            exceeded_quotas += (
                quota
                for quota in quotas
                if any(asked[name] > quota.hard[name].nano for name in asked.keys() & quota.hard)
            )
        return tuple(exceeded_quotas)

    def _matching_pools(self, namespace: str, charge: Charge) -> tuple[Pool, ...]:
        matching = self._matching.get(id(charge))
        if matching is None:
            pools = tuple(pool for pool in self._pools.get(namespace, ()) if charge.matches(pool.requirements))
            self._matching[id(charge)] = matching = charge, pools
        return matching[1]

    def _room(self, pool: Pool, asked: Mapping[str, int]) -> int:
        pool_usage = self._used[pool.key]
        free = (objects_that_fit(pool.least[name], _used_nano(pool_usage, name), each) for name, each in asked.items())
        return max(0, min(free, default=_UNLIMITED))


_UNLIMITED = 2**63


def _least(quotas: Iterable[Quota]) -> dict[str, int]:
    least: dict[str, int] = {}
    for quota in quotas:
        for name, hard in quota.hard.items():
            if name not in least or hard.nano < least[name]:
                least[name] = hard.nano
    return least


def _enlarge_pool(pool: Pool, more: Mapping[str, int]) -> Pool:
    if not more:
        return pool
    return pool._replace(least={name: limit + more.get(name, 0) for name, limit in pool.least.items()})


def _requested_amounts(pool: Pool, charge: Charge, *, later: bool) -> dict[str, int]:
    return {
        name: charge.each[name].nano
        for name in charge.each.keys() & pool.names
        if charge.each[name].nano > 0 and not (later and name in COMPUTE)
    }


def _used_nano(used: Mapping[str, Quantity], name: str) -> int:
    amount = used.get(name)
    return amount.nano if amount is not None else 0
