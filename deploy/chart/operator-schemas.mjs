// JSON schemas of the objects of operators, from the definitions in their Go modules.
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { runGo } from '../engines/images.mjs';

/** Files of definitions (CustomResourceDefinition) by module. */
export const modules = {
  'sigs.k8s.io/gateway-api@v1.3.0': ['config/crd/standard/gateway.networking.k8s.io_httproutes.yaml'],
  'github.com/kedacore/keda/v2@v2.17.2': ['config/crd/bases/keda.sh_scaledobjects.yaml'],
  'github.com/prometheus-operator/prometheus-operator@v0.84.0': [
    'example/prometheus-operator-crd/monitoring.coreos.com_podmonitors.yaml',
    'example/prometheus-operator-crd/monitoring.coreos.com_prometheusrules.yaml',
  ],
};

/** Refuses unknown fields, as an API server in strict mode does. The definitions leave that out. */
export function strict(schema) {
  if (Array.isArray(schema)) return schema.map(strict);
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, strict(value)]));
  const isOpen = schema['x-kubernetes-preserve-unknown-fields'] || 'additionalProperties' in schema;
  // A property that is named "properties" is a schema and has a type of its own.
  if (schema.type === 'object' && typeof schema.properties === 'object' && !isOpen) copy.additionalProperties = false;
  return copy;
}

/**
 * Schemas of a definition by file name: Kind_version.json, in small letters.
 * @param {string} text in YAML
 */
export function schemasOf(text) {
  const { spec } = parse(text);
  return Object.fromEntries(
    spec.versions.map(({ name, schema }) => {
      const fields = strict(schema.openAPIV3Schema);
      // Definitions leave the metadata to the API server.
      fields.properties.metadata = { type: 'object' };
      return [`${spec.names.kind.toLowerCase()}_${name}.json`, fields];
    }),
  );
}

/** Downloads the modules and writes the schemas into a folder. */
export async function writeOperatorSchemas(folder) {
  const work = `${folder}.new`;
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  for (const [module, files] of Object.entries(modules)) {
    const title = `Getting the schemas of ${module}`;
    const { output, hostPath } = await runGo(['mod', 'download', '-json', module], { title });
    const source = hostPath(JSON.parse(output).Dir);
    for (const file of files)
      for (const [name, schema] of Object.entries(schemasOf(readFileSync(join(source, file), 'utf8'))))
        writeFileSync(join(work, name), JSON.stringify(schema));
  }
  renameSync(work, folder);
}
