/** The viewer of the OpenAPI document, in a frame of its own. */
export const docs = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API documentation - <%= it.site.title %></title>
<link rel="icon" type="image/svg+xml" href="<%= it.site.root %><%= it.assets.icon.path %>">
<link rel="stylesheet" href="<%= it.site.root %><%= it.assets.docsStylesheet.path %>">
<link rel="stylesheet" href="<%= it.site.root %><%= it.assets.viewerStylesheet.path %>">
</head>
<body>
<header class="frame"><a class="site" href="<%= it.site.root %>/"><%= it.site.title %></a><nav aria-label="Site"><a href="<%= it.site.root %>/api/">Pages of the API</a> <a href="<%= it.schema %>?format=json">OpenAPI as JSON</a> <a href="<%= it.schema %>?format=yaml">as YAML</a></nav></header>
<div id="docs"><noscript><p class="note">This page needs JavaScript. The <a href="<%= it.site.root %>/api/">pages of the API</a> describe every endpoint without it.</p></noscript></div>
<script src="<%= it.site.root %><%= it.assets.viewerScript.path %>"></script>
<script src="<%= it.site.root %><%= it.assets.docsScript.path %>" data-schema="<%= it.schema %>?format=json"></script>
</body>
</html>
`;
