/** A response of the API, the parameters of its endpoint, and the other methods of its path. */
export const apiView = `<%~ include('@trail', it) %>
<h1><span class="method"><%= it.method %></span> /<% for (const segment of it.path) { %><%= segment %>/<wbr><% } %></h1>
<p><%= it.doc %></p>
<% if (it.access) { %><p class="soft">Access: <%= it.access %>.</p><% } %>
<% if (it.filters.length > 0) { %><form class="filters" method="get"><% for (const field of it.filters) { %><label title="<%= field.doc %>"><span><%= field.name %></span><% if (field.choices.length > 0) { %><select name="<%= field.name %>"><option value=""></option><% for (const choice of field.choices) { %><option<% if (choice === field.value) { %> selected<% } %>><%= choice %></option><% } %></select><% } else { %><input name="<%= field.name %>" value="<%= field.value %>" placeholder="<%= field.default %>" size="<%= field.type === 'integer' ? 6 : 20 %>"><% } %></label><% } %><button>Send</button></form><% } %>
<ul class="links"><li><a href="#requests">Requests</a></li><li><a href="<%= it.schema %>">OpenAPI document</a></li></ul>
<h2>Response</h2>
<p><span class="status<% if (it.isError) { %> error<% } %>"><%= it.status %> <%= it.reason %></span><% if (it.formats.length > 0) { %> <span class="soft">as</span><% for (const format of it.formats) { %> <a href="<%= format.href %>"><%= format.text %></a><% } %><% } %></p>
<%~ include('@pager', it.pages) %>
<% if (it.body) { %><pre class="body" tabindex="0"><code><%~ it.body %></code></pre><% } %>
<%~ include('@pager', it.pages) %>
<% if (it.limit) { %><p class="soft">Rate limit: <%= it.limit.remaining %> of <%= it.limit.limit %> requests left; resets in <%= it.limit.reset %> seconds.</p><% } %>
<details><summary>Headers</summary><dl><% for (const header of it.headers) { %><dt><code><%= header.name %></code></dt><dd><code><%= header.value %></code></dd><% } %></dl></details>
<h2 id="requests">Requests</h2>
<p class="soft">Pages send no writing requests. Copy a command, and put an API token into <code>TOKEN</code>.</p>
<% for (const each of it.methods) { %><details<% if (each.method === it.method) { %> open<% } %>><summary><span class="method"><%= each.method %></span> <%= each.doc %></summary>
<p class="soft">Access: <%= each.access %>.</p>
<pre class="wrap"><code><%= each.curl %></code></pre>
<% if (each.upload && each.upload !== each.curl) { %><pre class="wrap"><code><%= each.upload %></code></pre><% } %>
<% if (each.wlc) { %><pre class="wrap"><code><%= each.wlc %></code></pre><% } %>
<% if (each.json) { %><h3>Example of a body</h3><pre><code><%~ each.json %></code></pre><% } %>
<% if (each.fields.length + each.files.length > 0) { %><h3>Fields</h3><div class="scroll"><table class="fields"><thead><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead><tbody><% for (const field of each.fields) { %><tr><td><code><%= field.name %></code><% if (field.required) { %> <span class="soft">required</span><% } %></td><td><%= field.type %></td><td><%= field.doc %><% if (field.choices.length > 0) { %> <span class="soft">One of: <%= field.choices.join(', ') %>.</span><% } %><% if (field.default) { %> <span class="soft">Default: <code><%= field.default %></code>.</span><% } %></td></tr>
<% } %><% for (const file of each.files) { %><tr><td><code><%= file %></code></td><td>file</td><td>A file of a multipart form.</td></tr><% } %></tbody></table></div><% } %>
</details>
<% } %>`;
