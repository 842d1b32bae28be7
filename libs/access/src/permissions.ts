/** What a permission applies to: the objects of a project, or the whole site. */
export type PermissionScope = 'project' | 'site';

/** Permission codenames in the order of role listings. */
export const permissions = {
  'billing.view': 'project',
  'change.download': 'project',
  'comment.add': 'project',
  'comment.delete': 'project',
  'comment.resolve': 'project',
  'component.edit': 'project',
  'component.lock': 'project',
  'glossary.add': 'project',
  'glossary.terminology': 'project',
  'glossary.edit': 'project',
  'glossary.delete': 'project',
  'glossary.upload': 'project',
  'machinery.view': 'project',
  'memory.edit': 'project',
  'memory.delete': 'project',
  'project.edit': 'project',
  'project.permissions': 'project',
  'reports.view': 'project',
  'screenshot.add': 'project',
  'screenshot.edit': 'project',
  'screenshot.delete': 'project',
  'source.edit': 'project',
  'unit.add': 'project',
  'unit.delete': 'project',
  'unit.check': 'project',
  'unit.edit': 'project',
  'unit.review': 'project',
  'unit.bulk_edit': 'project',
  'unit.override': 'project',
  'unit.template': 'project',
  'suggestion.accept': 'project',
  'suggestion.add': 'project',
  'suggestion.delete': 'project',
  'suggestion.vote': 'project',
  'translation.add': 'project',
  'translation.auto': 'project',
  'translation.delete': 'project',
  'translation.download': 'project',
  'translation.add_more': 'project',
  'upload.authorship': 'project',
  'upload.overwrite': 'project',
  'upload.perform': 'project',
  'vcs.access': 'project',
  'vcs.commit': 'project',
  'vcs.push': 'project',
  'vcs.reset': 'project',
  'vcs.view': 'project',
  'vcs.update': 'project',
  'announcement.add': 'project',
  'project.add': 'site',
  'language.add': 'site',
  'language.edit': 'site',
  'group.view': 'site',
  'group.edit': 'site',
  'user.view': 'site',
  'user.edit': 'site',
  'role.view': 'site',
  'role.edit': 'site',
  'componentlist.edit': 'site',
  'memory.manage': 'site',
  'announcement.edit': 'site',
  'machinery.edit': 'site',
  'billing.manage': 'site',
  'management.use': 'site',
  'management.addons': 'site',
} as const satisfies Record<string, PermissionScope>;

export type Permission = keyof typeof permissions;

export const permissionNames = Object.keys(permissions) as Permission[];

export function isPermission(name: string): name is Permission {
  return Object.hasOwn(permissions, name);
}

/** The known permissions among `names`, each once, in the order of the table. */
export function inTableOrder(names: readonly string[]): Permission[] {
  const wanted = new Set(names);
  return permissionNames.filter((name) => wanted.has(name));
}
