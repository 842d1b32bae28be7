/** The strings of a translation, or one of them. */
export const translate = `<%~ include('@trail', it) %>
<h1><%= it.title %></h1>
<% if (it.progress) { %><%~ include('@progress', it.progress) %><% } %>
<ul class="links"><% for (const link of it.links) { %><li><a href="<%= link.href %>"><%= link.text %></a></li><% } %></ul>
<form class="filters" method="get"><label>Search <input name="q" value="<%= it.q %>" size="40" placeholder="state:&lt;translated" maxlength="2000"></label><button>Show</button></form>
<% if (it.problem) { %><p class="status error"><%= it.problem %></p><% } %>
<% if (it.units.length === 0) { %><p class="soft">No strings.</p><% } %>
<ol class="strings"><% for (const unit of it.units) { %><li id="unit-<%= unit.id %>"<% if (it.single) { %> class="found"<% } %>>
<div class="pair"><div><p class="side">Source</p><% for (const text of unit.source) { %><p lang="<%= it.sourceLanguage.code %>" dir="auto"><%= text %></p><% } %></div><div><p class="side"><%= it.language.name %></p><% for (const text of unit.target) { %><p lang="<%= it.language.code %>" dir="auto"><%= text %></p><% } %></div></div>
<p class="meta"><span class="tag <%= unit.stateName %>"><%= unit.stateText %></span><% if (unit.context) { %><span>Key: <code><%= unit.context %></code></span><% } %><% if (unit.location && !it.single) { %><span class="optional">Location: <%= unit.location %></span><% } %><% if (unit.has_failing_check) { %><span>Failing checks</span><% } %><% if (unit.has_suggestion) { %><span>Suggestions</span><% } %><% if (unit.has_comment) { %><span>Comments</span><% } %><a href="<%= unit.web_url %>">Link</a> <a href="<%= unit.url %>">API</a></p>
<% if (it.single) { %><dl><% for (const fact of it.facts) { %><dt><%= fact.name %></dt><dd class="block"><%= fact.value %></dd><% } %></dl><% } %>
</li><% } %></ol>
<%~ include('@pager', it.pages) %>
<h2>Translate</h2>
<p>This page is read-only. Send a translation with an API token:</p>
<pre class="wrap"><code><%= it.curl %></code></pre>
<h2>API</h2><p><a href="<%= it.api %>"><code><%= it.api %></code></a></p>`;
