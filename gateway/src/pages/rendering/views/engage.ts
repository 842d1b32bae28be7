/** Invitation to translate a project, with badges to embed. */
export const engage = `<%~ include('@trail', it) %>
<h1><%= it.title %></h1>
<% if (it.lead) { %><p class="lead block"><%= it.lead %></p><% } %>
<%~ include('@progress', it.progress) %>
<ul class="links"><% for (const link of it.links) { %><li><a href="<%= link.href %>"<% if (link.foreign) { %> rel="nofollow noopener noreferrer ugc"<% } %>><%= link.text %></a></li><% } %></ul>
<h2>Badges</h2>
<ul class="badges"><% for (const badge of it.badges) { %><li><a href="<%= badge.href %>"><img src="<%= badge.image %>" alt="<%= badge.text %>"></a></li><% } %></ul>
<h3>Markdown</h3>
<pre class="wrap"><code><%= it.markdown %></code></pre>
<h3>HTML</h3>
<pre class="wrap"><code><%= it.html %></code></pre>
<% if (it.tables.length > 0) { %><% for (const table of it.tables) { %><h2><%= table.title %></h2>
<% if (table.rows.length === 0) { %><p class="soft"><%= table.empty %></p><% } else { %><div class="scroll"><table class="shares">
<thead><tr><th scope="col">Language</th><th scope="col" class="meter">Progress</th><th scope="col" class="number">Translated</th><th scope="col" class="badge optional">Badge</th></tr></thead>
<tbody><% for (const row of table.rows) { %><tr><td><a href="<%= row.href %>"><%= row.text %></a></td><td class="meter"><%~ include('@bar', row.progress) %></td><td class="number"><%= row.progress.translated_percent %>%</td><td class="optional"><img src="<%= row.badge %>" alt="<%= row.text %>: <%= row.progress.translated_percent %>% translated" loading="lazy"></td></tr>
<% } %></tbody></table></div><% } %><% } %><% } %>
<h2>API</h2><p><a href="<%= it.api %>"><code><%= it.api %></code></a></p>`;
