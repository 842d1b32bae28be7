/** A project, category, component, translation, language or list: progress, facts, contents and links. */
export const overview = `<%~ include('@trail', it) %>
<h1><%= it.title %></h1>
<% if (it.lead) { %><p class="lead block"><%= it.lead %></p><% } %>
<% if (it.progress) { %><%~ include('@progress', it.progress) %><% } %>
<% if (it.links.length > 0) { %><ul class="links"><% for (const link of it.links) { %><li><a href="<%= link.href %>"<% if (link.foreign) { %> rel="nofollow noopener noreferrer ugc"<% } %>><%= link.text %></a></li><% } %></ul><% } %>
<% if (it.facts.length > 0) { %><dl><% for (const fact of it.facts) { %><dt><%= fact.name %></dt><dd<% if (fact.block) { %> class="block"<% } %>><% if (fact.href) { %><a href="<%= fact.href %>"<% if (fact.foreign) { %> rel="nofollow noopener noreferrer ugc"<% } %>><%= fact.value %></a><% } else { %><%= fact.value %><% } %></dd><% } %></dl><% } %>
<% for (const table of it.tables) { %><h2><%= table.title %></h2>
<% if (table.rows.length === 0) { %><p class="soft"><%= table.empty %></p><% } else { %><div class="scroll"><table<% if (table.progress) { %> class="shares"<% } %>>
<thead><tr><th scope="col">Name</th><% if (table.progress) { %><th scope="col" class="meter">Progress</th><th scope="col" class="number">Translated</th><th scope="col" class="number optional">Strings</th><% } %></tr></thead>
<tbody><% for (const row of table.rows) { %><tr><td><a href="<%= row.href %>"><%= row.text %></a><% if (row.note) { %> <span class="soft"><%= row.note %></span><% } %></td><% if (table.progress) { %><td class="meter"><%~ include('@bar', row.progress) %></td><td class="number"><%= row.progress.translated_percent %>%</td><td class="number optional"><%= row.progress.total %></td><% } %></tr>
<% } %></tbody></table></div><%~ include('@pager', table) %><% } %><% } %>
<% if (it.api) { %><h2>API</h2><p><a href="<%= it.api %>"><code><%= it.api %></code></a></p><% } %>`;
