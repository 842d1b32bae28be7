import { permissionNames, permissions, permissionTexts } from './permissions';

/** The table of permissions in docs/identity.md. */
export function permissionTable(): string {
  const rows = permissionNames.map(
    (name) => `| \`${name}\` | ${permissions[name]} | ${permissionTexts[name] || '(no action requires it)'} |`,
  );
  return ['| permission | applies to | allows to |', '| --- | --- | --- |', ...rows].join('\n');
}
