import { BodyError, MediaTypeError, readBody } from './body';
import { PayloadError } from './payload';

const read = (text: string, type = 'application/json') => readBody(Buffer.from(text), type);

describe('bodies', () => {
  it('notification bodies can be JSON', async () => {
    for (const type of ['application/json', 'Application/JSON; charset=utf-8', 'application/vnd.host+json']) {
      expect(await read('\uFEFF{"ref":"ž"}', type)).toEqual({ json: '{"ref":"ž"}', data: { ref: 'ž' } });
    }
  });

  it('notification bodies are bounded in number of values and fields', async () => {
    await expect(read(`{"a":[${'1,'.repeat(250_001)}1]}`)).rejects.toThrow('more than 250000 values');
    const form = `${'a&'.repeat(30)}payload={}`;
    await expect(read(form, 'application/x-www-form-urlencoded')).rejects.toThrow('more than 20 fields');
    await expect(read('--b\r\n\r\n\r\n'.repeat(30), 'multipart/form-data; boundary=b')).rejects.toThrow('more than 20');
  });

  it('notification bodies can be forms with the parameter payload', async () => {
    const json = '{"a":"b c&d=ž"}';
    const form = `x=1&payload=${encodeURIComponent(json).replace(/%20/g, '+')}`;
    expect(await read(form, 'application/x-www-form-urlencoded; charset=utf-8')).toEqual({
      json,
      data: { a: 'b c&d=ž' },
    });
    const multipart = `--XX\r\nContent-Disposition: form-data; name="payload"\r\n\r\n${json}\r\n--XX--\r\n`;
    expect(await read(multipart, 'multipart/form-data; boundary=XX')).toEqual({ json, data: { a: 'b c&d=ž' } });
    const file = `--XX\r\nContent-Disposition: form-data; name="payload"; filename="p.json"\r\nContent-Type: application/json\r\n\r\n${json}\r\n--XX--\r\n`;
    expect(await read(file, 'multipart/form-data; boundary=XX')).toMatchObject({ json });
  });

  it('forms with the content type of JSON are accepted, as older versions of Pagure send them', async () => {
    const json = '{"topic":"git.receive","msg":{"branch":"main"}}';
    const body = `payload=${encodeURIComponent(json).replace(/%20/g, '+')}`;
    expect(await read(body, 'application/json')).toEqual({ json, data: JSON.parse(json) });
    await expect(read('payload={', 'application/json')).rejects.toThrow(BodyError);
  });

  it.each([
    ['{"a":', 'application/json', BodyError],
    ['', 'application/json', BodyError],
    ['', 'text/plain', BodyError],
    ['{"a":1}', 'text/plain', MediaTypeError],
    ['{"a":1}', '', MediaTypeError],
    ['{"a":1}', 'text/x-json', MediaTypeError],
    ['payload={"a":1}', 'text/plain', MediaTypeError],
    ['{"a":1}', 'application/x-www-form-urlencodedx', MediaTypeError],
    ['payload={', 'application/x-www-form-urlencoded', BodyError],
    ['garbage', 'multipart/form-data; boundary=XX', BodyError],
    ['garbage', 'multipart/form-data', BodyError],
    ['x=1', 'application/x-www-form-urlencoded', PayloadError],
    ['{}', 'application/json', PayloadError],
    ['[]', 'application/json', PayloadError],
    ['null', 'application/json', PayloadError],
    ['"text"', 'application/json', PayloadError],
  ])('the body %j with content type %s is rejected', async (text, type, error) => {
    await expect(read(text, type)).rejects.toThrow(error);
  });

  it('notification bodies may be nested arbitrarily deep', async () => {
    const deep = '['.repeat(200_000) + ']'.repeat(200_000);
    await expect(read(`{"a":${deep}}`)).resolves.toBeDefined();
  });
});
