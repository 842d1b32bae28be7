import type { TextDocument } from '../core/document';

/** Maximum number of characters that all references to one entity may expand to. */
const MAX_EXPANSION = 100_000;
const MAX_ENTITIES = 10_000;
const MAX_DEPTH = 50;

const DECLARATION = /<!ENTITY\s+([\w:.-]+)\s+(?:"([^"]*)"|'([^']*)'|SYSTEM|PUBLIC)/g;

interface Entity {
  at: number;
  /** Undefined for an external entity. */
  value: string | undefined;
  /** Expanded length once computed; Infinity during the computation. */
  size?: number;
}

/**
 * The declared entities, each with the reason why references to it are rejected ('': none). References are kept verbatim, but
 * entities for files, markup or huge texts would mean something else in other programs.
 * @throws FormatError `limit` for entities with unbounded expansion
 */
export function declaredEntities(document: TextDocument, start: number, end: number): Map<string, string> {
  const entities = new Map<string, Entity>();
  for (const match of document.text.slice(start, end).matchAll(DECLARATION)) {
    const [, name, double, single] = match;
    // The first of repeated declarations wins.
    if (!entities.has(name!)) entities.set(name!, { at: start + match.index, value: double ?? single });
    if (entities.size > MAX_ENTITIES)
      throw document.error(`more than ${MAX_ENTITIES} entities`, start + match.index, 'limit');
  }
  const sizeOf = (entity: Entity, depth: number): number => {
    if (entity.size !== undefined || entity.value === undefined) return entity.size ?? 0;
    if (depth > MAX_DEPTH) return Infinity;
    entity.size = Infinity;
    let size = entity.value.length;
    for (const [, name] of entity.value.matchAll(/&([\w:.-]+);/g)) {
      const inner = entities.get(name!);
      if (inner) size += sizeOf(inner, depth + 1);
    }
    return (entity.size = size);
  };
  const problems = new Map<string, string>();
  for (const [name, entity] of entities) {
    if (sizeOf(entity, 0) > MAX_EXPANSION)
      throw document.error('an entity is recursive or expands to a huge text', entity.at, 'limit');
    problems.set(
      name,
      entity.value === undefined ? 'another file' : /<|&#(?:60|x3c);/i.test(entity.value) ? 'markup' : '',
    );
  }
  return problems;
}
