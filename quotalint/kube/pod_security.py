"""What the Pod Security Standards forbid in a pod: the checks of the levels baseline and restricted, by version.

Values that are not known yet, such as placeholders, violate nothing.

Source: Kubernetes 1.37, k8s.io/pod-security-admission/policy (check_*.go, registry.go). The messages are
those of CheckResult.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Set

from quotalint.kube.amounts import is_placeholder
from quotalint.kube.fields import Body, dig, mapping, sequence, text
from quotalint.named_tuples import NamedTuple
from quotalint.text.place import Path

PRIVILEGED, BASELINE, RESTRICTED = "privileged", "baseline", "restricted"
LEVELS = (PRIVILEGED, BASELINE, RESTRICTED)


class Cure(NamedTuple):
    """What to write so that a pod is admitted."""

    write: str
    """A field with its value, for a `securityContext`; else an advice as a phrase."""
    containers: tuple[str, ...] = ()
    """The containers with that `securityContext`; empty: that of the pod."""
    is_advice: bool = False


class Violation(NamedTuple):
    """What one check forbids in a pod."""

    reason: str
    detail: str
    path: Path
    """The first field, from the pod."""
    cures: tuple[Cure, ...]
    level: str = ""

    @property
    def message(self) -> str:
        """The reason with its detail, as in the API server's message."""
        return f"{self.reason} ({self.detail})"


class _Container(NamedTuple):
    name: str
    path: Path
    body: Body

    @property
    def context(self) -> Path:
        return (*self.path, "securityContext")


class _Pod(NamedTuple):
    """A pod with its containers, in the order in which checks look at them."""

    annotations: Body
    spec: Body
    containers: tuple[_Container, ...]
    minor: int
    """The version of the policy."""

    @property
    def is_windows(self) -> bool:
        return self.minor >= 25 and _may_be(dig(self.spec, "os", "name"), "windows")

    @property
    def has_own_users(self) -> bool:
        return self.minor >= 35 and _may_be(self.spec.get("hostUsers"), False)


class _Setting(NamedTuple):
    """A field of a `securityContext` with its value."""

    container: str
    """Empty for the pod's."""
    path: Path
    value: object


def violations(body: Body, level: str, minor: int) -> tuple[Violation, ...]:
    """What a level forbids in a pod or pod template, in the API server's order; `minor`: of the version 1.`minor`."""
    spec = mapping(body.get("spec"))
    containers = tuple(
        _Container(text(container.get("name")), ("spec", field, index), container)
        for field in ("initContainers", "containers", "ephemeralContainers")
        for index, container in enumerate(map(mapping, sequence(spec.get(field))))
    )
    pod = _Pod(mapping(dig(body, "metadata", "annotations")), spec, containers, minor)
    checks = [check for check in _CHECKS if check.since <= minor and check.level in (level, BASELINE)]
    found = [(check.level, check.run(pod)) for check in checks if level == BASELINE or minor < check.until]
    return tuple(violation._replace(level=of) for of, violation in found if violation is not None)


def _may_be(value: object, wanted: object) -> bool:
    return value is wanted or value == wanted if not is_placeholder(value) else True


def _is_unknown(value: object) -> bool:
    """Whether a mapping may have more than is written, or other values."""
    return is_placeholder(value) or (isinstance(value, dict) and any(map(is_placeholder, value)))


def _settings(pod: _Pod, *keys: str, of_pod: bool = True) -> Iterator[_Setting]:
    """A field where it is written, in the pod's `securityContext` and those of its containers."""
    places: list[tuple[str, Body, Path]] = [("", pod.spec, ("spec",))] if of_pod else []
    places += ((container.name, container.body, container.path) for container in pod.containers)
    for name, body, path in places:
        value = dig(body, "securityContext", *keys)
        if value is not None and not is_placeholder(value):
            yield _Setting(name, (*path, "securityContext", *keys), value)


def _lacking(pod: _Pod, *keys: str) -> list[_Container]:
    """The containers that do not write a field."""
    return [container for container in pod.containers if _lacks(container.body, keys)]


def _lacks(body: Body, keys: Sequence[str]) -> bool:
    value: object = body.get("securityContext")
    for key in keys:
        if _is_unknown(value):
            return False
        value = dig(value, key)
    return value is None


def _quoted(items: Iterable[str]) -> str:
    return ", ".join(f'"{item}"' for item in items)


def _many(word: str, items: Sequence[object]) -> str:
    return word if len(items) == 1 else f"{word}s"


def _named(word: str, names: Sequence[str]) -> str:
    """`container "a"`, or `containers "a", "b"`."""
    return f"{_many(word, names)} {_quoted(names)}"


def _setters(settings: Iterable[_Setting]) -> str:
    """`pod and containers "a", "b"`."""
    names = list(dict.fromkeys(setting.container for setting in settings))
    containers = [name for name in names if name]
    return " and ".join(
        (*(("pod",) if "" in names else ()), *((_named("container", containers),) if containers else ()))
    )


def _values(settings: Iterable[_Setting]) -> list[str]:
    return sorted({text(setting.value) for setting in settings})


def _forbidden(bad: Sequence[_Setting], reason: str, words: str, write: str) -> Violation | None:
    """These settings, with what each of their places must write instead; `{}` in the words stands for the values."""
    if not bad:
        return None
    containers = tuple(dict.fromkeys(filter(None, (setting.container for setting in bad))))
    cures = (*((Cure(write),) if any(not setting.container for setting in bad) else ()),)
    cures += (Cure(write, containers),) if containers else ()
    return Violation(reason, f"{_setters(bad)} {words.format(_quoted(_values(bad)))}", bad[0].path, cures)


def _advice(words: str) -> tuple[Cure, ...]:
    return (Cure(words, is_advice=True),)


_APP_ARMOR = "container.apparmor.security.beta.kubernetes.io/"


def _app_armor(pod: _Pod) -> Violation | None:
    bad = [each for each in _settings(pod, "appArmorProfile", "type") if each.value not in _PROFILES]
    annotated = sorted(
        f'{key}="{value}"'
        for key, value in pod.annotations.items()
        if key.startswith(_APP_ARMOR) and value not in ("", "runtime/default") and not is_placeholder(value)
        if not text(value).startswith("localhost/")
    )
    if not (bad or annotated):
        return None
    values = [*_values(bad), *annotated]
    setters = " and ".join(filter(None, (_setters(bad), _many("annotation", annotated) if annotated else "")))
    path: Path = bad[0].path if bad else ("metadata", "annotations", annotated[0].partition("=")[0])
    detail = f"{setters} must not set AppArmor profile type to {_quoted(values)}"
    return Violation(_many("forbidden AppArmor profile", values), detail, path, _advice("remove the AppArmor profiles"))


_CAPABILITIES = (
    "AUDIT_WRITE CHOWN DAC_OVERRIDE FOWNER FSETID KILL MKNOD NET_BIND_SERVICE SETFCAP SETGID SETPCAP SETUID SYS_CHROOT"
)
_DEFAULT_CAPABILITIES = frozenset(_CAPABILITIES.split())


def _added(pod: _Pod, allowed: Set[str]) -> list[_Setting]:
    """The added capabilities that are not among these."""
    return [
        each._replace(path=(*each.path, index), value=capability)
        for each in _settings(pod, "capabilities", "add", of_pod=False)
        for index, capability in enumerate(sequence(each.value))
        if isinstance(capability, str) and capability not in allowed and not is_placeholder(capability)
    ]


def _added_detail(bad: Sequence[_Setting]) -> str:
    return f"{_setters(bad)} must not include {_quoted(_values(bad))} in securityContext.capabilities.add"


def _without(bad: Sequence[_Setting]) -> tuple[Cure, ...]:
    return _advice(f"remove {', '.join(_values(bad))} from `capabilities.add`") if bad else ()


def _baseline_capabilities(pod: _Pod) -> Violation | None:
    bad = _added(pod, _DEFAULT_CAPABILITIES)
    return Violation("non-default capabilities", _added_detail(bad), bad[0].path, _without(bad)) if bad else None


def _host_namespaces(pod: _Pod) -> Violation | None:
    bad = [field for field in ("hostNetwork", "hostPID", "hostIPC") if pod.spec.get(field) is True]
    words = f"remove {', '.join(bad)}"
    detail = ", ".join(f"{field}=true" for field in bad)
    return Violation("host namespaces", detail, ("spec", bad[0]), _advice(words)) if bad else None


def _volumes(pod: _Pod, kinds: Set[str]) -> list[tuple[str, str, Path]]:
    """The volumes of these kinds: name, kind, and path."""
    return [
        (text(volume.get("name")), kind, ("spec", "volumes", index, kind))
        for index, volume in enumerate(map(mapping, sequence(pod.spec.get("volumes"))))
        for kind in sorted(kinds & {key for key, value in volume.items() if value is not None})[:1]
    ]


def _host_paths(pod: _Pod) -> Violation | None:
    bad = _volumes(pod, {"hostPath"})
    detail = _named("volume", [name for name, _, _ in bad])
    cures = _advice("use another volume than hostPath")
    return Violation("hostPath volumes", detail, bad[0][2], cures) if bad else None


_VOLUMES = """
awsElasticBlockStore azureDisk azureFile cephfs cinder fc flexVolume flocker gcePersistentDisk gitRepo glusterfs
hostPath iscsi nfs photonPersistentDisk portworxVolume quobyte rbd scaleIO storageos vsphereVolume
"""
_RESTRICTED_VOLUMES = frozenset(_VOLUMES.split())


def _restricted_volumes(pod: _Pod) -> Violation | None:
    bad = _volumes(pod, _RESTRICTED_VOLUMES)
    if not bad:
        return None
    kinds = sorted({kind for _, kind, _ in bad})
    uses = "uses" if len(bad) == 1 else "use"
    types = f"{_many('restricted volume type', kinds)} {_quoted(kinds)}"
    detail = f"{_named('volume', [name for name, _, _ in bad])} {uses} {types}"
    return Violation(
        "restricted volume types", detail, bad[0][2], _advice(f"use another volume than {', '.join(kinds)}")
    )


def _host_ports(pod: _Pod) -> Violation | None:
    # In the host network every port is one of the host: defaultHostNetworkPorts of pkg/apis/core/v1/defaults.go.
    fields = ("hostPort", "containerPort") if pod.spec.get("hostNetwork") is True else ("hostPort",)
    bad = [
        _Setting(container.name, (*container.path, "ports", index, field), port[field])
        for container in pod.containers
        for index, port in enumerate(map(mapping, sequence(container.body.get("ports"))))
        for field in [field for field in fields if port.get(field) and not is_placeholder(port[field])][:1]
    ]
    if not bad:
        return None
    detail = f"{_users(bad)} {_many('hostPort', _values(bad))} {', '.join(_values(bad))}"
    return Violation("hostPort", detail, bad[0].path, _advice("remove hostPort"))


def _users(bad: Sequence[_Setting]) -> str:
    names = list(dict.fromkeys(each.container for each in bad))
    return f"{_named('container', names)} {'uses' if len(names) == 1 else 'use'}"


_PROBES = (("livenessProbe",), ("readinessProbe",), ("startupProbe",))
_HOOKS = (("lifecycle", "postStart"), ("lifecycle", "preStop"))
_HANDLERS = tuple((*of, action) for of in (*_PROBES, *_HOOKS) for action in ("httpGet", "tcpSocket"))


def _probe_hosts(pod: _Pod) -> Violation | None:
    bad = [
        _Setting(container.name, (*container.path, *handler, "host"), host)
        for container in pod.containers
        for handler in _HANDLERS
        if (host := text(dig(container.body, *handler, "host"))) and not is_placeholder(host)
    ]
    if not bad:
        return None
    detail = f"{_users(sorted(bad, key=lambda each: each.container))} {_named('probe or lifecycle host', _values(bad))}"
    return Violation("probe or lifecycle host", detail, bad[0].path, _advice("remove `host` from probes and hooks"))


def _privileged(pod: _Pod) -> Violation | None:
    bad = [each for each in _settings(pod, "privileged", of_pod=False) if each.value is True]
    return _forbidden(bad, "privileged", "must not set securityContext.privileged=true", "privileged: false")


def _masked_proc(pod: _Pod) -> Violation | None:
    bad = [each for each in _settings(pod, "procMount", of_pod=False) if each.value != "Default"]
    return _forbidden(bad, "procMount", "must not set securityContext.procMount to {}", "procMount: Default")


def _baseline_proc(pod: _Pod) -> Violation | None:
    return None if pod.has_own_users else _masked_proc(pod)


def _se_linux(pod: _Pod) -> Violation | None:
    allowed = {"", "container_t", "container_init_t", "container_kvm_t"}
    allowed |= {"container_engine_t"} if pod.minor >= 31 else set()
    data: dict[str, list[str]] = {}
    bad = []
    for each in _settings(pod, "seLinuxOptions"):
        for field, value in sorted(mapping(each.value).items(), key=lambda item: item[0] != "type"):
            wrong = value not in allowed if field == "type" else value and field in ("user", "role")
            if wrong and isinstance(value, str) and not is_placeholder(value):
                data.setdefault(field, []).append(value)
                bad.append(each._replace(path=(*each.path, field)))
    types = sorted(set(data.pop("type", ())))
    words = [_named("type", types)] if types else []
    words += [f"{field} may not be set" for field in sorted(data, reverse=True)]
    detail = f"{_setters(bad)} set forbidden securityContext.seLinuxOptions: {'; '.join(words)}"
    return Violation("seLinuxOptions", detail, bad[0].path, _advice("remove seLinuxOptions")) if bad else None


_PROFILES = ("RuntimeDefault", "Localhost")
_SECCOMP = "seccompProfile.type: RuntimeDefault"


def _seccomp(pod: _Pod) -> Violation | None:
    bad = [each for each in _settings(pod, "seccompProfile", "type") if each.value not in _PROFILES]
    return _forbidden(bad, "seccompProfile", "must not set securityContext.seccompProfile.type to {}", _SECCOMP)


def _required_seccomp(pod: _Pod) -> Violation | None:
    if pod.is_windows:
        return None
    wrong = _seccomp(pod)
    if wrong or not _lacks(pod.spec, ("seccompProfile",)):
        return wrong
    words = 'must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"'
    bad = _lacking(pod, "seccompProfile")
    return _lacking_violation(bad, "seccompProfile", words, "seccompProfile", "type", cure=_SECCOMP)


def _lacking_violation(bad: Sequence[_Container], reason: str, words: str, *keys: str, cure: str) -> Violation | None:
    """What neither the pod nor these containers write."""
    if not bad:
        return None
    detail = f"pod or {_named('container', [container.name for container in bad])} {words}"
    return Violation(reason, detail, (*bad[0].context, *keys), (Cure(cure),))


_SYSCTLS = {
    0: "kernel.shm_rmid_forced net.ipv4.ip_local_port_range net.ipv4.tcp_syncookies net.ipv4.ping_group_range"
    " net.ipv4.ip_unprivileged_port_start",
    27: "net.ipv4.ip_local_reserved_ports",
    29: "net.ipv4.tcp_keepalive_time net.ipv4.tcp_fin_timeout net.ipv4.tcp_keepalive_intvl"
    " net.ipv4.tcp_keepalive_probes",
    32: "net.ipv4.tcp_rmem net.ipv4.tcp_wmem",
    37: "net.ipv4.tcp_slow_start_after_idle net.ipv4.tcp_notsent_lowat",
}


def _sysctls(pod: _Pod) -> Violation | None:
    allowed = {name for since, names in _SYSCTLS.items() if since <= pod.minor for name in names.split()}
    written = sequence(dig(pod.spec, "securityContext", "sysctls"))
    names = [(text(mapping(entry).get("name")), index) for index, entry in enumerate(written)]
    bad = [(name, index) for name, index in names if name and name not in allowed and not is_placeholder(name)]
    if not bad:
        return None
    detail = ", ".join(name for name, _ in bad)
    path: Path = ("spec", "securityContext", "sysctls", bad[0][1], "name")
    return Violation("forbidden sysctls", detail, path, _advice(f"remove the sysctls {detail}"))


def _host_process(pod: _Pod) -> Violation | None:
    bad = [each for each in _settings(pod, "windowsOptions", "hostProcess") if each.value is True]
    words = "must not set securityContext.windowsOptions.hostProcess=true"
    return _forbidden(bad, "hostProcess", words, "windowsOptions.hostProcess: false")


def _privilege_escalation(pod: _Pod) -> Violation | None:
    if pod.is_windows:
        return None
    allowing = {
        each.container for each in _settings(pod, "allowPrivilegeEscalation", of_pod=False) if each.value is True
    }
    lacking = {container.path for container in _lacking(pod, "allowPrivilegeEscalation")}
    bad = [container for container in pod.containers if container.path in lacking or container.name in allowing]
    names = tuple(container.name for container in bad)
    detail = f"{_named('container', names)} must set securityContext.allowPrivilegeEscalation=false"
    cures = (Cure("allowPrivilegeEscalation: false", names),)
    path = (*bad[0].context, "allowPrivilegeEscalation") if bad else ()
    return Violation("allowPrivilegeEscalation != false", detail, path, cures) if bad else None


def _restricted_capabilities(pod: _Pod) -> Violation | None:
    if pod.is_windows:
        return None
    keeping = [container for container in pod.containers if _keeps_capabilities(container)]
    added = _added(pod, {"NET_BIND_SERVICE"})
    if not (keeping or added):
        return None
    names = tuple(container.name for container in keeping)
    details = [f'{_named("container", names)} must set securityContext.capabilities.drop=["ALL"]'] if names else []
    details += [_added_detail(added)] if added else []
    path = (*keeping[0].context, "capabilities", "drop") if keeping else added[0].path
    cures = (*((Cure("capabilities.drop: [ALL]", names),) if names else ()), *_without(added))
    return Violation("unrestricted capabilities", "; ".join(details), path, cures)


def _keeps_capabilities(container: _Container) -> bool:
    """Whether a container does not drop all."""
    if _lacks(container.body, ("capabilities", "drop")):
        return True
    dropped = dig(container.body, "securityContext", "capabilities", "drop")
    return isinstance(dropped, list) and "ALL" not in dropped and not any(map(is_placeholder, dropped))


def _non_root(pod: _Pod) -> Violation | None:
    if pod.has_own_users:
        return None
    denied = [each for each in _settings(pod, "runAsNonRoot") if each.value is False]
    if denied:
        words = "must not set securityContext.runAsNonRoot=false"
        return _forbidden(denied, "runAsNonRoot != true", words, "runAsNonRoot: true")
    if not _lacks(pod.spec, ("runAsNonRoot",)):
        return None
    words = "must set securityContext.runAsNonRoot=true"
    bad = _lacking(pod, "runAsNonRoot")
    return _lacking_violation(bad, "runAsNonRoot != true", words, "runAsNonRoot", cure="runAsNonRoot: true")


def _root_user(pod: _Pod) -> Violation | None:
    if pod.has_own_users:
        return None
    bad = [each for each in _settings(pod, "runAsUser") if each.value == 0 and each.value is not False]
    found = _forbidden(bad, "runAsUser=0", "must not set runAsUser=0", "")
    return found and found._replace(cures=_advice("write the number of another user in runAsUser, or remove it"))


class _Check(NamedTuple):
    level: str
    run: Callable[[_Pod], Violation | None]
    since: int = 0
    """The first minor version with the check."""
    until: int = 1000
    """The first minor version in which a check of the level restricted replaces it there."""


_CHECKS = (
    _Check(BASELINE, _app_armor),
    _Check(BASELINE, _baseline_capabilities, until=22),
    _Check(BASELINE, _host_namespaces),
    _Check(BASELINE, _host_paths, until=0),
    _Check(BASELINE, _host_ports),
    _Check(BASELINE, _probe_hosts, since=34),
    _Check(BASELINE, _privileged),
    _Check(BASELINE, _baseline_proc, until=35),
    _Check(BASELINE, _se_linux),
    _Check(BASELINE, _seccomp, since=19, until=19),
    _Check(BASELINE, _sysctls),
    _Check(BASELINE, _host_process),
    _Check(RESTRICTED, _privilege_escalation, since=8),
    _Check(RESTRICTED, _restricted_capabilities, since=22),
    _Check(RESTRICTED, _masked_proc, since=35),
    _Check(RESTRICTED, _restricted_volumes),
    _Check(RESTRICTED, _non_root),
    _Check(RESTRICTED, _root_user, since=23),
    _Check(RESTRICTED, _required_seccomp, since=19),
)
"""In the API server's order."""
