"""The main flow with a client that is generated from /api/schema/. Run by tests/api/clients.e2e.ts."""

import json
import re
import sys
import time

from parlance_client import AuthenticatedClient
from parlance_client.api.projects import post_projects, post_projects_by_project_components
from parlance_client.api.tasks import get_tasks_by_task
from parlance_client.api.translations import (
    get_translations_by_project_by_component_by_language_file as get_file,
    get_translations_by_project_by_component_by_language_statistics as get_statistics,
    get_translations_by_project_by_component_by_language_units as get_units,
)
from parlance_client.api.units import get_units_by_unit, patch_units_by_unit
from parlance_client.models import (
    Error,
    PatchUnitsByUnitJsonBody,
    PatchUnitsByUnitJsonBodyState,
    PostProjectsByProjectComponentsJsonBody,
    PostProjectsJsonBody,
)

base, token, slug, repo = sys.argv[1:]
client = AuthenticatedClient(base_url=base, token=token, raise_on_unexpected_status=True)


def data_of(result):
    """The result of a call that must succeed."""
    if result is None or isinstance(result, Error):
        raise SystemExit(f"unexpected result: {result}")
    return result


project = data_of(post_projects.sync(client=client, body=PostProjectsJsonBody(name=slug, slug=slug, web="https://example.com/")))
component = data_of(
    post_projects_by_project_components.sync(
        project.slug,
        client=client,
        body=PostProjectsByProjectComponentsJsonBody(
            name="Example",
            slug="example",
            repo=repo,
            branch="main",
            filemask="po/*.po",
            new_base="po/example.pot",
            file_format="po",
        ),
    )
)
task = component.task_url.split("/")[-2]
while not data_of(get_tasks_by_task.sync(task, client=client)).completed:
    time.sleep(0.1)

path = (project.slug, component.slug, "cs")
unit = data_of(get_units.sync(*path, client=client, q='source:="Good bye."')).results[0]
changed = data_of(
    patch_units_by_unit.sync(
        unit.id,
        client=client,
        body=PatchUnitsByUnitJsonBody(target=["Sbohem."], state=PatchUnitsByUnitJsonBodyState.VALUE_20),
    )
)
statistics = data_of(get_statistics.sync(*path, client=client))
file = data_of(get_file.sync(*path, client=client)).payload.read().decode()
missing = get_units_by_unit.sync(999_999_999, client=client)

print(
    json.dumps(
        {
            "target": changed.target,
            "translated": statistics.translated,
            "line": re.search(r'msgid "Good bye\."\nmsgstr ".*"', file)[0],
            "code": missing.errors[0].code,
        }
    )
)
