import { sanitizeHtml } from './html';

describe('sanitizeHtml', () => {
  test.each([
    ['plain < text', 'plain < text'],
    ['<b>x</b><br>', '<b>x</b><br>'],
    ['<script>alert(1)</script>x', 'x'],
    ['<SCRIPT SRC=//x></SCRIPT>x', 'x'],
    ['<blink>x <b>y</b></blink>', 'x <b>y</b>'],
    ['<blink><script>1</script><i onload=x>y</i></blink>', '<i>y</i>'],
    ['<a href="JaVaScRiPt:x">y</a>', '<a>y</a>'],
    ['<a href="java\nscript:x">y</a>', '<a>y</a>'],
    ['<a href="data:text/html,x">y</a>', '<a>y</a>'],
    ['<a href="/local?a:b">y</a>', '<a href="/local?a:b">y</a>'],
    ['<img src=x onerror=alert(1)>', '<img src="x">'],
    ['<!-- c -->x', 'x'],
    ['<svg><style><img src=x onerror=1></style></svg>x', '<img src="x">x'],
    ['<math><mtext><table><mglyph><style><img src=x onerror=1>', ''],
    ['<template><img src=x onerror=1></template>x', 'x'],
  ])('sanitizeHtml sanitizes %j to %j', (html, safe) => {
    expect(sanitizeHtml(html)).toBe(safe);
    expect(sanitizeHtml(safe)).toBe(safe);
  });

  test('sanitizeHtml keeps Markdown autolinks', () => {
    expect(sanitizeHtml('<https://example.com> <x>y</x>', true)).toBe('<https://example.com> y');
  });
});
