import type { catalog } from '@parlance/contracts';

export function presentLabel(label: catalog.Label__Output): Record<string, unknown> {
  return { id: label.id, name: label.name, description: label.description, color: label.color };
}
