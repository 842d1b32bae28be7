import { readingsOf } from './path-readings';

it.each([
  ['/api/components/p/c/', ['/api/components/p/c/']],
  ['/exports/stats/p/c/', ['/exports/stats/p/c/']],
  ['/exports/stats/p/cat/sub/c', ['/exports/stats/p/cat%2Fsub%2Fc/']],
  ['/hooks/update/p/', ['/hooks/update/p/']],
  ['/hooks/update/p/cat/c/', ['/hooks/update/p/cat%2Fc/']],
  ['/hooks/github/', ['/hooks/github/']],
  ['/exports/rss/', ['/exports/rss/']],
  ['/exports/rss/language/cs/', ['/exports/rss/language/cs/']],
  ['/exports/rss/p/c/', ['/exports/rss/p/c/']],
  ['/exports/rss/p/c/cs/', ['/exports/rss/p/c/cs/', '/exports/rss/p/c%2Fcs/']],
  ['/exports/rss/p/cat/sub/c', ['/exports/rss/p/cat%2Fsub/c/', '/exports/rss/p/cat%2Fsub%2Fc/']],
  ['/exports/rss/p/cat%252Fsub/c/cs/', ['/exports/rss/p/cat%252Fsub%2Fc/cs/', '/exports/rss/p/cat%252Fsub%2Fc%2Fcs/']],
  ['/exports/rss/p//c/', ['/exports/rss/p//c/']],
  ['/git/p/cat/c/info/refs', ['/git/p/cat%2Fc/info/refs']],
])('the path %s can be routed as %j', (path, readings) => {
  expect(readingsOf(path)).toEqual(readings);
});
