"""Answers as objects: nothing of them is refused, changed or left out."""

from __future__ import annotations

import types
from functools import lru_cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from pydantic import BaseModel, ConfigDict


class Model(BaseModel):
    """A part of an answer. Its attributes have the names of the API; one that a later version of the
    service adds is an attribute too."""

    model_config = ConfigDict(extra="allow", defer_build=True, protected_namespaces=())


def build(kind: Any, value: Any) -> Any:
    """``value`` of JSON as what ``kind`` says.

    It is taken as it came, without validation: a state that this version does not know, or a field
    that is missing, must not turn an answer of the service into an error.
    """
    origin = get_origin(kind)
    if origin is Union or origin is types.UnionType:
        return _build_one_of(get_args(kind), value)
    if origin is list and isinstance(value, list):
        (inner,) = get_args(kind)
        return [build(inner, one) for one in value]
    if origin is dict and isinstance(value, dict):
        inner = get_args(kind)[1]
        return {name: build(inner, one) for name, one in value.items()}
    if _is_model(kind) and isinstance(value, dict):
        hints = _hints(kind)
        fields = {name: build(hints.get(name), one) for name, one in value.items()}
        return kind.model_construct(**fields)
    return value


def _is_model(kind: Any) -> bool:
    """In Python 3.10 ``list[str]`` says that it is a type too."""
    return get_origin(kind) is None and isinstance(kind, type) and issubclass(kind, Model)


@lru_cache(maxsize=None)
def _hints(kind: type[Model]) -> dict[str, Any]:
    return get_type_hints(kind)


def _build_one_of(kinds: tuple[Any, ...], value: Any) -> Any:
    if isinstance(value, list):
        lists = [kind for kind in kinds if get_origin(kind) is list]
        return build(lists[0], value) if lists else value
    if not isinstance(value, dict):
        return value
    models = [kind for kind in kinds if _is_model(kind)]
    if models:
        # An event of a later version is none of those that are known.
        fitting = [model for model in models if len(models) == 1 or _fits(model, value)]
        return build(fitting[0] if fitting else Model, value)
    dicts = [kind for kind in kinds if get_origin(kind) is dict]
    return build(dicts[0], value) if dicts else value


def _fits(model: type[Model], value: dict[str, Any]) -> bool:
    """A receiver may be told in another dated version: it says nothing about what a thing is."""
    return all(
        value[name] in get_args(hint)
        for name, hint in _hints(model).items()
        if get_origin(hint) is Literal and name in value and name != "apiVersion"
    )
