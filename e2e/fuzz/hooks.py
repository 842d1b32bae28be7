"""Hooks of schemathesis: paths often name existing objects, and requests do not rename those."""

import json
import os

import schemathesis
from hypothesis import strategies as st

# Existing values by name of the path parameter, and the combinations of names that belong together.
WORLD = json.loads(os.environ["PARLANCE_FUZZ_WORLD"])


def known(names):
    """Path parameters that name existing objects."""
    fixed = next((found for found in WORLD["together"] if set(found[0]) <= set(names)), None)
    rest = {name: st.sampled_from(WORLD["values"][name]) for name in names if name in WORLD["values"]}
    if fixed is None:
        return st.fixed_dictionaries(rest)
    return st.tuples(st.fixed_dictionaries(rest), st.sampled_from(fixed)).map(lambda pair: {**pair[0], **pair[1]})


@schemathesis.hook
def before_load_schema(context, schema):
    # Requests of the phases for examples and coverage take the examples of the paths.
    examples = {name: values[0] for name, values in WORLD["values"].items()}
    for operations in schema["paths"].values():
        for operation in operations.values():
            for parameter in operation["parameters"]:
                if parameter["in"] == "path" and parameter["name"] in examples:
                    parameter["example"] = examples[parameter["name"]]


@schemathesis.hook
def before_generate_path_parameters(context, strategy):
    names = [parameter.name for parameter in context.operation.path_parameters]
    if not all(name in WORLD["values"] for name in names):
        return strategy
    # Three of four requests reach an object.
    return st.one_of(known(names), known(names), known(names), strategy)


@schemathesis.hook
def filter_query(context, query):
    # Node answers longer request lines itself (431).
    return len(str(query)) < 10_000


@schemathesis.hook
def before_call(context, case, kwargs):
    if case.method in ("PUT", "PATCH") and isinstance(case.body, dict) and "slug" in case.body:
        parameters = list((case.path_parameters or {}).values())
        if parameters and isinstance(parameters[-1], str):
            case.body["slug"] = parameters[-1]
