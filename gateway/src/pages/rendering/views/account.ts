/** Labelled controls of a form, each with its problem. */
export const fields = `<% for (const [name, value] of Object.entries(it.hidden || {})) { %><input type="hidden" name="<%= name %>" value="<%= value %>"><% } %>
<% for (const field of it.fields) { %><p class="field"><label for="<%= it.id %>-<%= field.name %>"><%= field.label %></label>
<% if (field.choices) { %><select id="<%= it.id %>-<%= field.name %>" name="<%= field.name %>"<% if (field.problem) { %> aria-invalid="true"<% } %><% if (field.problem || field.hint) { %> aria-describedby="<%= it.id %>-<%= field.name %>-note"<% } %>><% for (const choice of field.choices) { %><option value="<%= choice.value %>"<% if (choice.value === field.value) { %> selected<% } %>><%= choice.text %></option><% } %></select><% } else { %><input id="<%= it.id %>-<%= field.name %>" name="<%= field.name %>" type="<%= field.type %>" value="<%= field.value || '' %>"<% if (field.autocomplete) { %> autocomplete="<%= field.autocomplete %>"<% } %><% if (field.inputmode) { %> inputmode="<%= field.inputmode %>"<% } %><% if (field.required) { %> required<% } %><% if (field.focus) { %> autofocus<% } %><% if (field.problem) { %> aria-invalid="true"<% } %><% if (field.problem || field.hint) { %> aria-describedby="<%= it.id %>-<%= field.name %>-note"<% } %> maxlength="<%= field.maxlength || 1024 %>"><% } %>
<% if (field.problem) { %><span class="status error" id="<%= it.id %>-<%= field.name %>-note"><%= field.problem %></span><% } else if (field.hint) { %><span class="soft" id="<%= it.id %>-<%= field.name %>-note"><%= field.hint %></span><% } %></p>
<% } %><p><button><%= it.button %></button></p>`;

/** A form that sends the response of a security key; the script shows it. */
export const securityKey = `<noscript><p class="soft">Security keys need JavaScript.</p></noscript>
<form class="stacked" id="<%= it.key.id %>" method="post" action="<%= it.key.action %>" hidden><% for (const [name, value] of Object.entries(it.key.hidden)) { %><input type="hidden" name="<%= name %>" value="<%= value %>"><% } %><input type="hidden" name="response">
<p class="status" role="status"></p><p><button><%= it.key.button %></button></p></form>
<script src="<%= it.site.root %><%= it.assets.securityKeyScript.path %>" data-form="<%= it.key.id %>" data-use="<%= it.key.use %>" data-options="<%= it.key.options %>"></script>`;

const messages = `<% if (it.notice) { %><p class="notice" role="status"><%= it.notice %></p><% } %><% if (it.problem) { %><p class="status error" role="alert"><%= it.problem %></p><% } %>`;

/** A page with one form: sign-in, code, password. */
export const form = `<h1><%= it.title %></h1>
<% if (it.lead) { %><p><%= it.lead %></p><% } %>
${messages}
<% if (it.key) { %><%~ include('@securityKey', it) %><% } %>
<% if (it.form) { %><form class="stacked" method="post" action="<%= it.form.action %>"><%~ include('@fields', it.form) %></form><% } %>
<% if (it.links.length > 0) { %><ul class="links"><% for (const link of it.links) { %><li><a href="<%= link.href %>"><%= link.text %></a></li><% } %></ul><% } %>`;

/** The signed-in user, with sessions, tokens and the password. */
export const profile = `<h1><%= it.title %></h1>
${messages}
<dl><dt>User name</dt><dd><%= it.user.username %></dd><dt>Full name</dt><dd><%= it.user.fullName %></dd><% if (it.user.email) { %><dt>Mail address</dt><dd><%= it.user.email %></dd><% } %></dl>
<h2 id="factors">Second factors</h2>
<% if (it.factors.length === 0) { %><p class="soft">You have no second factor. With one, a stolen password is not enough to sign in.</p><% } else { %><div class="scroll"><table class="actions"><thead><tr><th scope="col">Name</th><th scope="col">Kind</th><th scope="col" class="optional">Added</th><th scope="col">Last use</th></tr></thead><tbody>
<% for (const factor of it.factors) { %><tr><td><%= factor.name %></td><td><%= factor.kind %></td><td class="optional"><%= factor.added.text %></td><td><%= factor.used.text %></td></tr>
<% } %></tbody></table></div><% } %>
<% if (it.key) { %><h3>Register the security key</h3><%~ include('@securityKey', it) %><% } %>
<% if (it.newSecret) { %><h3>Confirm the authenticator app</h3><p class="notice" role="status">Add this key to your app now. It is not shown again.</p><pre class="wrap"><code><%= it.newSecret.secret %></code></pre><p><a href="<%= it.newSecret.uri %>">Open in an app on this device</a></p><% } %>
<% if (it.confirmForm) { %><form class="stacked" method="post" action="<%= it.action %>#factors"><%~ include('@fields', it.confirmForm) %></form><% } %>
<details<% if (it.openForms['add-factor']) { %> open<% } %>><summary>Add a second factor</summary><form class="stacked" method="post" action="<%= it.action %>#factors"><%~ include('@fields', it.factorForm) %></form></details>
<% if (it.factors.length > 0) { %><details<% if (it.openForms['remove-factor']) { %> open<% } %>><summary>Remove a second factor</summary><form class="stacked" method="post" action="<%= it.action %>#factors"><%~ include('@fields', it.removalForm) %></form></details><% } %>
<% if (it.provider) { %><h2 id="provider">Sign-in with <%= it.provider.name %></h2>
<p class="soft"><% if (it.provider.isLinked) { %>Your account is linked: you can sign in with <%= it.provider.name %> instead of your password.<% } else { %>Your account is not linked. A link lets you sign in with <%= it.provider.name %> instead of your password.<% } %></p>
<details<% if (it.openForms[it.provider.form.hidden.action]) { %> open<% } %>><summary><% if (it.provider.isLinked) { %>Remove the link<% } else { %>Link your account<% } %></summary><form class="stacked" method="post" action="<%= it.action %>#provider"><%~ include('@fields', it.provider.form) %></form></details>
<% } %><h2 id="sessions">Sessions</h2>
<div class="scroll"><table class="actions"><thead><tr><th scope="col">Browser</th><th scope="col">Address</th><th scope="col" class="optional">Signed in</th><th scope="col">Last request</th><th scope="col">Action</th></tr></thead><tbody>
<% for (const session of it.sessions) { %><tr><td><%= session.browser %></td><td><%= session.address %></td><td class="optional"><time datetime="<%= session.created.iso %>"><%= session.created.text %></time></td><td><time datetime="<%= session.seen.iso %>"><%= session.seen.text %></time></td><td><% if (session.current) { %>This browser<% } else { %><form method="post" action="<%= it.action %>"><input type="hidden" name="csrf_token" value="<%= it.csrfToken %>"><input type="hidden" name="action" value="end-session"><input type="hidden" name="id" value="<%= session.id %>"><button aria-label="End the session of <%= session.browser %>, <%= session.address %>">End</button></form><% } %></td></tr>
<% } %></tbody></table></div>
<% if (it.sessions.length > 1) { %><form method="post" action="<%= it.action %>"><input type="hidden" name="csrf_token" value="<%= it.csrfToken %>"><input type="hidden" name="action" value="end-other-sessions"><p><button>End all other sessions</button></p></form><% } %>
<h2 id="tokens">API tokens</h2>
<% if (it.newToken) { %><p class="notice" role="status">Copy the new token now. It is not shown again.</p><pre class="wrap"><code><%= it.newToken %></code></pre><% } %>
<% if (it.tokens.length === 0) { %><p class="soft">You have no tokens.</p><% } else { %><div class="scroll"><table class="actions"><thead><tr><th scope="col">Name</th><th scope="col" class="optional">Ends with</th><th scope="col" class="optional">Created</th><th scope="col">Limits</th><th scope="col" class="optional">Last use</th><th scope="col">Expires</th><th scope="col">Action</th></tr></thead><tbody>
<% for (const token of it.tokens) { %><tr><td><%= token.name %></td><td class="optional"><code><%= token.hint %></code></td><td class="optional"><time datetime="<%= token.created.iso %>"><%= token.created.text %></time></td><td><%= token.limits || 'none' %></td><td class="optional"><%= token.used.text %></td><td><%= token.expires.text %></td><td><form method="post" action="<%= it.action %>"><input type="hidden" name="csrf_token" value="<%= it.csrfToken %>"><input type="hidden" name="action" value="revoke-token"><input type="hidden" name="id" value="<%= token.id %>"><button aria-label="Revoke the token <%= token.name %>">Revoke</button></form></td></tr>
<% } %></tbody></table></div><% } %>
<h3>New token</h3>
<form class="stacked" method="post" action="<%= it.action %>#tokens"><%~ include('@fields', it.tokenForm) %></form>
<h2 id="password">Password</h2>
<p class="soft">A new password ends all other sessions. Tokens stay valid.</p>
<form class="stacked" method="post" action="<%= it.action %>#password"><input type="text" name="username" value="<%= it.user.username %>" autocomplete="username" readonly hidden><%~ include('@fields', it.passwordForm) %></form>`;
