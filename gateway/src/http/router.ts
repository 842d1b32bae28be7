/** Something that answers at a path, by method. */
export interface Route<E> {
  /** `/api/projects/:project/` */
  pattern: string;
  methods: Map<string, E>;
  /** Value of the Allow header. */
  allow: string;
}

export interface Match<E> {
  route: Route<E>;
  params: Record<string, string>;
}

interface Node<E> {
  literals: Map<string, Node<E>>;
  param?: { name: string; node: Node<E> };
  route?: Route<E>;
}

const methodOrder = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

/** Parameters that may hold slashes, written as %2F or, as generated addresses have it, %252F. */
const slashed = new Set(['component']);

function decode(raw: string, name: string): string | undefined {
  try {
    const once = decodeURIComponent(raw);
    if (!slashed.has(name)) return once.includes('/') ? undefined : once;
    return /%2f/i.test(once) ? decodeURIComponent(once) : once;
  } catch {
    return undefined;
  }
}

/** Splits a path into segments; a slash at the end makes no difference, an empty segment in between does. */
function split(path: string): string[] | undefined {
  const trimmed = path.endsWith('/') ? path.slice(1, -1) : path.slice(1);
  if (trimmed === '') return [];
  const segments = trimmed.split('/');
  return segments.includes('') ? undefined : segments;
}

/** Finds who answers at a path. Literal segments win over parameters. */
export class Router<E> {
  private readonly root: Node<E> = { literals: new Map() };
  readonly routes: Route<E>[] = [];

  add(method: string, pattern: string, endpoint: E): void {
    let node = this.root;
    for (const segment of split(pattern) ?? []) {
      if (segment.startsWith(':')) {
        const name = segment.slice(1);
        if (node.param && node.param.name !== name)
          throw new Error(`${pattern}: the parameter ${name} is called ${node.param.name} elsewhere`);
        node.param ??= { name, node: { literals: new Map() } };
        node = node.param.node;
      } else {
        let next = node.literals.get(segment);
        if (!next) node.literals.set(segment, (next = { literals: new Map() }));
        node = next;
      }
    }
    if (!node.route) {
      node.route = { pattern, methods: new Map(), allow: '' };
      this.routes.push(node.route);
    }
    if (node.route.methods.has(method)) throw new Error(`${method} ${pattern} is there twice`);
    node.route.methods.set(method, endpoint);
    const has = (m: string) =>
      m === 'OPTIONS' || node.route!.methods.has(m) || (m === 'HEAD' && node.route!.methods.has('GET'));
    node.route.allow = methodOrder.filter(has).join(', ');
  }

  /** @param path raw, without the query */
  match(path: string): Match<E> | undefined {
    const segments = split(path);
    if (!segments) return undefined;
    const params: Record<string, string> = {};
    const walk = (node: Node<E>, at: number): Route<E> | undefined => {
      if (at === segments.length) return node.route;
      const segment = segments[at]!;
      const literal = node.literals.get(segment);
      const found = literal && walk(literal, at + 1);
      if (found) return found;
      if (!node.param) return undefined;
      const value = decode(segment, node.param.name);
      if (value === undefined || value === '') return undefined;
      const route = walk(node.param.node, at + 1);
      if (route) params[node.param.name] = value;
      return route;
    };
    const route = walk(this.root, 0);
    return route && { route, params };
  }
}
