// Validates our responses against the OpenAPI document that the peer publishes.
import Ajv2020 from 'ajv/dist/2020.js';

/** Converts paths of the document to regular expressions; a parameter matches one segment. */
const pattern = (path) => new RegExp(`^${path.replace(/\{[^}]+\}/g, '[^/]+')}$`);

export class Judge {
  #ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
  #operations;

  /** @param document OpenAPI 3.1 as an object */
  constructor(document) {
    this.#ajv.addSchema({ $id: 'peer', components: document.components });
    this.#operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { responses }]) => ({
        name: `${method.toUpperCase()} ${path}`,
        matches: pattern(path),
        method,
        responses,
        asked: false,
      })),
    );
  }

  /** The documented operation that a request addresses. */
  #operation(method, path) {
    const plain = path.split('?')[0].replace(/^https?:\/\/[^/]+/, '');
    return this.#operations.find((o) => o.method === method.toLowerCase() && o.matches.test(plain));
  }

  /** Notes that a request was made. */
  ask(method, path) {
    const operation = this.#operation(method, path);
    if (operation) operation.asked = true;
  }

  /** Documented operations without a request so far, as `METHOD /path/`. */
  get neverAsked() {
    return this.#operations.filter(({ asked }) => !asked).map(({ name }) => name);
  }

  /** The document of a server. @throws Error where it publishes none in JSON */
  static async of(side) {
    const { status, bytes } = await side.send('GET', '/api/schema/', undefined, {
      accept: 'application/vnd.oai.openapi+json',
    });
    if (status !== 200) throw new Error(`${side.base}/api/schema/ answered ${status}`);
    return new Judge(JSON.parse(bytes.toString('utf8')));
  }

  /** Schema violations of a response. Undefined if the document does not describe such a response. */
  faults(method, path, status, body) {
    const schema = this.#operation(method, path)?.responses[status]?.content?.['application/json']?.schema;
    if (!schema || body === null || typeof body !== 'object') return undefined;
    const rooted = JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"peer#/components'));
    const validate = this.#ajv.compile(rooted);
    if (validate(body)) return [];
    return validate.errors.map(({ instancePath, keyword, message }) => ({
      path: `${instancePath.replace(/\/\d+/g, '[]').replaceAll('/', '.').replace(/^\./, '')} ${keyword}`,
      message,
    }));
  }
}
