/** Fields of a form that no one fills in: the method, the session and the token for this request. */
export const apiHidden = `<input type="hidden" name="<%= it.names.method %>" value="<%= it.each %>"><% if (it.csrf) { %><input type="hidden" name="<%= it.csrf.name %>" value="<%= it.csrf.value %>"><% } %>`;

/** Field for the token of a form's request. */
export const apiToken = `<% if (it.needsToken) { %><div class="field"><label for="<%= it.id %>">API token</label><input id="<%= it.id %>" type="password" name="<%= it.names.token %>" autocomplete="off" maxlength="200" aria-describedby="<%= it.id %>-doc"><p class="hint" id="<%= it.id %>-doc">For this request only; it is not stored.</p></div><% } %>`;

/** Control of a field with its label, its explanation and the problem of its value. */
export const apiControl = `<% const describedBy = it.id + '-doc' + (it.problem ? ' ' + it.id + '-problem' : ''); const about = ' aria-describedby="' + describedBy + '"' + (it.problem ? ' aria-invalid="true"' : '') + (it.required ? ' aria-required="true"' : ''); %><div class="field<% if (it.problem) { %> wrong<% } %>"><label for="<%= it.id %>"><code><%= it.name %></code><% if (it.required) { %> <span class="soft">required</span><% } %> <span class="soft"><%= it.type %></span></label>
<% if (it.kind === 'select') { %><select id="<%= it.id %>" name="<%= it.name %>"<%~ about %>><option value=""></option><% for (const choice of it.choices) { %><% if (choice !== '') { %><option<% if (choice === it.values[0]) { %> selected<% } %>><%= choice %></option><% } %><% } %></select>
<% } else if (it.kind === 'text' || it.kind === 'json') { %><textarea id="<%= it.id %>" name="<%= it.name %>" rows="<%= it.rows %>" dir="auto"<%~ about %>>
<%= it.values[0] %></textarea>
<% } else if (it.kind === 'items') { %><% it.values.forEach((value, i) => { %><textarea id="<%= it.id %><% if (i > 0) { %>-<%= i %><% } %>" name="<%= it.name %>" rows="<%= it.rows %>" dir="auto"<% if (i > 0) { %> aria-label="<%= it.name %>, item <%= i + 1 %>"<% } %><%~ about %>>
<%= value %></textarea><% }) %>
<% } else if (it.kind === 'file') { %><input id="<%= it.id %>" type="file" name="<%= it.name %>"<%~ about %>>
<% } else { %><input id="<%= it.id %>" name="<%= it.name %>" value="<%= it.values[0] %>"<% if (it.kind === 'secret') { %> type="password" autocomplete="off"<% } %><% if (it.numeric) { %> inputmode="numeric"<% } %><%~ about %>>
<% } %><p class="hint" id="<%= it.id %>-doc"><%= it.doc %><% if (it.default) { %> Default: <code><%= it.default %></code>.<% } %></p><% if (it.problem) { %><p class="problem" id="<%= it.id %>-problem"><%= it.problem %></p><% } %></div>
`;

/** The forms of a method: one with a control for each field, and one with JSON. */
export const apiForm = `<% const { form } = it; const id = form.method.toLowerCase(); const shared = { names: it.names, csrf: it.csrf, each: form.method, needsToken: it.needsToken }; %>
<% for (const problem of form.problems) { %><p class="problem"><% if (problem.attr) { %><code><%= problem.attr %></code>: <% } %><%= problem.detail %></p><% } %>
<div class="forms" id="<%= id %>-forms"><div data-tab="Fields"><form class="request" method="post" action="<%= it.action %>"<% if (form.multipart) { %> enctype="multipart/form-data"<% } %>>
<%~ include('@apiHidden', shared) %><% if (form.hasInitial) { %><input type="hidden" name="<%= it.names.initial %>" value="<%= form.initial %>"><% } %>
<% for (const control of form.controls) { %><%~ include('@apiControl', control) %><% } %>
<% if (form.folded.length > 0) { %><details><summary><%= form.folded.length %> optional fields</summary><% for (const control of form.folded) { %><%~ include('@apiControl', control) %><% } %></details><% } %>
<% if (form.isDelete) { %><div class="field<% if (form.confirmProblem) { %> wrong<% } %>"><label class="check"><input type="checkbox" name="<%= it.names.confirm %>" value="yes"<% if (form.confirmProblem) { %> aria-invalid="true" aria-describedby="confirm-problem"<% } %>> Delete it; this cannot be undone.</label><% if (form.confirmProblem) { %><p class="problem" id="confirm-problem"><%= form.confirmProblem %></p><% } %></div><% } %>
<%~ include('@apiToken', { ...shared, id: id + '-token' }) %>
<p><button<% if (form.isDelete) { %> class="danger"<% } %>><%= form.method %></button></p></form></div>
<% if (form.raw !== undefined && !form.isDelete) { %><div data-tab="JSON"<% if (form.isRawSent) { %> data-sent<% } %>><form class="request" method="post" action="<%= it.action %>">
<%~ include('@apiHidden', shared) %>
<div class="field"><label for="<%= id %>-json">Body as JSON</label><textarea id="<%= id %>-json" name="<%= it.names.content %>" rows="12" spellcheck="false">
<%= form.raw %></textarea></div>
<%~ include('@apiToken', { ...shared, id: id + '-json-token' }) %>
<p><button><%= form.method %> as JSON</button></p></form></div><% } %></div>`;

/** A response of the API, the parameters of its endpoint, and the other methods of its path. */
export const apiView = `<%~ include('@trail', it) %>
<h1><span class="method"><%= it.method %></span> /<% for (const segment of it.path) { %><%= segment %>/<wbr><% } %></h1>
<p><%= it.doc %></p>
<% if (it.access) { %><p class="soft">Access: <%= it.access %>.</p><% } %>
<% if (it.filters.length > 0) { %><form class="filters" method="get"><% for (const field of it.filters) { %><label title="<%= field.doc %>"><span><%= field.name %></span><% if (field.choices.length > 0) { %><select name="<%= field.name %>"><option value=""></option><% for (const choice of field.choices) { %><option<% if (choice === field.value) { %> selected<% } %>><%= choice %></option><% } %></select><% } else { %><input name="<%= field.name %>" value="<%= field.value %>" placeholder="<%= field.default %>" size="<%= field.type === 'integer' ? 6 : 20 %>"><% } %></label><% } %><button>Send</button></form><% } %>
<ul class="links"><li><a href="#requests">Requests</a></li><li><a href="<%= it.docs %>">Documentation</a></li><li><a href="<%= it.schema %>">OpenAPI document</a></li><% if (it.isFile) { %><li><a href="<%= it.action %>">File</a></li><% } %></ul>
<h2>Response</h2>
<p><span class="status<% if (it.isError) { %> error<% } %>"><%= it.status %> <%= it.reason %></span><% if (it.formats.length > 0) { %> <span class="soft">as</span><% for (const format of it.formats) { %> <a href="<%= format.href %>"><%= format.text %></a><% } %><% } %></p>
<%~ include('@pager', it.pages) %>
<% if (it.isFile) { %><p class="soft">Files are not shown on this page.</p><% } else if (it.body) { %><pre class="body" tabindex="0"><code><%~ it.body %></code></pre><% } %>
<%~ include('@pager', { ...it.pages, label: 'Pages, below the response' }) %>
<% if (it.limit) { %><p class="soft">Rate limit: <%= it.limit.remaining %> of <%= it.limit.limit %> requests left; resets in <%= it.limit.reset %> seconds.</p><% } %>
<details><summary>Headers</summary><dl><% for (const header of it.headers) { %><dt><code><%= header.name %></code></dt><dd><code><%= header.value %></code></dd><% } %></dl></details>
<% if (it.needsToken && it.canRead) { %><details><summary>Show with a token</summary><form class="request" method="post" action="<%= it.action %>"><%~ include('@apiHidden', { names: it.names, csrf: it.csrf, each: 'GET' }) %><%~ include('@apiToken', { ...it, id: 'get-token' }) %><p><button>GET</button></p></form></details><% } %>
<h2 id="requests">Requests</h2>
<% for (const each of it.methods) { %><details<% if (each.method === it.method) { %> open<% } %>><summary><span class="method"><%= each.method %></span> <%= each.doc %></summary>
<p class="soft">Access: <%= each.access %>.</p>
<% if (each.form) { %><%~ include('@apiForm', { ...it, form: each.form }) %><% } %>
<h3>Commands</h3>
<pre class="wrap" tabindex="0"><code><%= each.curl %></code></pre>
<% if (each.upload && each.upload !== each.curl) { %><pre class="wrap" tabindex="0"><code><%= each.upload %></code></pre><% } %>
<% if (each.wlc) { %><pre class="wrap" tabindex="0"><code><%= each.wlc %></code></pre><% } %>
</details>
<% } %>`;
