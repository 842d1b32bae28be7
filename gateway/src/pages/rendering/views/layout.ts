/** Frame of every page. `it.body` is the rendered content. */
export const layout = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title><%= it.title %> - <%= it.site.title %></title>
<link rel="stylesheet" href="<%= it.site.root %><%= it.assets.stylesheet.path %>">
<script defer src="<%= it.site.root %><%= it.assets.script.path %>" integrity="<%= it.scriptDigest %>"></script>
<link rel="icon" type="image/svg+xml" href="<%= it.site.root %><%= it.assets.icon.path %>">
<% if (it.hidden) { %><meta name="robots" content="noindex">
<% } %><% if (it.feed) { %><link rel="alternate" type="application/rss+xml" title="Changes" href="<%= it.feed %>">
<% } %></head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="top"><div class="wide">
<a class="site" href="<%= it.site.root %>/"><img src="<%= it.site.root %><%= it.assets.icon.path %>" alt="" width="24" height="24"><%= it.site.title %></a>
<nav aria-label="Site"><a href="<%= it.site.root %>/projects/">Projects</a><a href="<%= it.site.root %>/languages/">Languages</a><a href="<%= it.site.root %>/api/">API</a><a href="<%= it.site.root %>/api/docs/">Documentation</a></nav>
<% if (it.csrfToken) { %><form class="who" method="post" action="<%= it.site.root %>/accounts/logout/"><a href="<%= it.site.root %>/accounts/profile/"><%= it.username %></a><input type="hidden" name="csrf_token" value="<%= it.csrfToken %>"><button class="plain">Sign out</button></form><% } else if (it.username) { %><span class="who">Token of <%= it.username %></span><% } else { %><span class="who">Public view <a href="<%= it.site.root %>/accounts/login/">Sign in</a></span><% } %>
</div></header>
<main id="content" class="wide">
<%~ it.body %>
</main>
<footer class="bottom"><div class="wide"><% if (it.csrfToken) { %>This page shows what you may see.<% } else if (it.username) { %>This page shows what the owner of the token may see.<% } else { %>This page shows what everybody may see. Sign in or send an API token to see more.<% } %></div></footer>
</body>
</html>
`;

/** Links from the site to the parent of the page. */
export const trail = `<% if (it.trail && it.trail.length > 0) { %><ol class="trail" aria-label="Breadcrumbs"><% for (const step of it.trail) { %><li><% if (step.href) { %><a href="<%= step.href %>"><%= step.text %></a><% } else { %><%= step.text %><% } %> </li><% } %></ol><% } %>`;

/** Bar of the shares of translated strings and strings that need editing. */
export const bar = `<svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" role="img" aria-label="<%= it.translated_percent %>% translated"><rect class="all" width="100" height="1"/><rect class="translated" width="<%= it.translated_percent %>" height="1"/><rect class="fuzzy" x="<%= it.translated_percent %>" width="<%= it.fuzzy_percent %>" height="1"/></svg>`;

export const progress = `<div class="progress"><p><strong><%= it.translated_percent %>% translated</strong><span class="soft"><%= it.translated %> of <%= it.total %> strings<% if (it.fuzzy > 0) { %>, <%= it.fuzzy %> need editing<% } %></span></p><%~ include('@bar', it) %></div>`;

/** Links to the neighbours of a page of a list. */
export const pager = `<% if (it.previous || it.next) { %><nav class="pages" aria-label="<%= it.label || 'Pages' %>"><% if (it.previous) { %><a rel="prev" href="<%= it.previous %>">Previous page</a><% } %><span class="soft"><%= it.count %> in total</span><% if (it.next) { %><a rel="next" href="<%= it.next %>">Next page</a><% } %></nav><% } %>`;
