/** An error, and a way out. */
export const problem = `<h1><%= it.title %></h1>
<p><%= it.detail %></p>
<ul class="links"><li><a href="<%= it.site.root %>/projects/">Projects</a></li><li><a href="<%= it.site.root %>/api/">API</a></li></ul>`;
