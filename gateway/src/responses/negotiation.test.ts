import { commonRenderers, negotiate } from './negotiation';

const pick = (accept: string | undefined, format: string | null = null) => negotiate(accept, format, commonRenderers);

describe('negotiate', () => {
  it('negotiation defaults to JSON', () => {
    for (const accept of [undefined, '', '*/*', 'application/json', 'text/plain, */*;q=0.1', 'application/*'])
      expect(pick(accept).renderer).toBe('json');
    expect(pick('text/html,application/xhtml+xml,*/*;q=0.8').renderer).toBe('api');
    expect(pick('text/csv').renderer).toBe('csv');
    expect(pick('application/json; indent=4')).toEqual({ renderer: 'json', indent: 4 });
    expect(pick('text/html;q=0.1, application/json').renderer).toBe('json');
  });

  it('negotiation serves old and new metrics formats', () => {
    const metrics = (accept: string) =>
      negotiate(accept, null, [...commonRenderers, 'openmetrics', 'prometheus']).renderer;
    const modern = 'application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3,*/*;q=0.2';
    expect(metrics(modern)).toBe('openmetrics');
    expect(metrics('text/plain;version=0.0.4;q=1,*/*;q=0.1')).toBe('prometheus');
    expect(metrics('*/*')).toBe('json');
  });

  it('negotiate answers OpenAPI tools with the media type of their format', () => {
    const schema = (accept: string) => negotiate(accept, null, [...commonRenderers, 'openapi']).renderer;
    expect(schema('application/vnd.oai.openapi+json')).toBe('openapi');
    expect(schema('application/vnd.oai.openapi+json, application/json;q=0.5')).toBe('openapi');
    expect(schema('application/json')).toBe('json');
    expect(() => pick('application/vnd.oai.openapi+json')).toThrow();
  });

  it('negotiate lets the query win', () => {
    expect(pick('text/html', 'json').renderer).toBe('json');
    expect(pick(undefined, 'api').renderer).toBe('api');
    expect(() => pick(undefined, 'xml')).toThrow('no format called xml');
  });

  it('negotiation rejects unknown formats', () => {
    expect(() => pick('image/png')).toThrow();
    expect(() => pick('application/json;q=0')).toThrow();
  });
});
