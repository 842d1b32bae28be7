/** Page that shows a response in a browser. A constant, because the build does not copy templates. */
export const apiPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title><%= it.title %> - Parlance API</title>
<style>
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { margin: 0 auto; max-width: 72rem; padding: 1rem; }
  header { align-items: baseline; border-bottom: 1px solid #8884; display: flex; gap: 1rem; justify-content: space-between; }
  h1 { font-size: 1.3rem; margin: 1rem 0 .25rem; }
  pre { background: #8881; border-radius: .4rem; overflow-x: auto; padding: 1rem; }
  code { font: 14px/1.5 ui-monospace, monospace; }
  .meta { color: #777; }
</style>
</head>
<body>
<header><a href="/api/"><strong>Parlance API</strong></a><span class="meta"><%= it.username || 'not signed in' %></span></header>
<main>
<h1><%= it.method %> <%= it.path %></h1>
<p><%= it.doc %></p>
<p class="meta">HTTP <%= it.status %> &middot; Allow: <%= it.allow %> &middot; <a href="?format=json">JSON</a></p>
<pre><code><%= it.body %></code></pre>
</main>
</body>
</html>
`;
