/** Builds the addresses in responses. */
export class Links {
  /** @param base scheme and host, without a trailing slash */
  constructor(readonly base: string) {}

  api(path: string): string {
    return `${this.base}/api/${path}`;
  }

  /** A component's path in API addresses: category slashes are encoded twice, as clients expect. */
  static componentPath(projectSlug: string, path: string): string {
    return `${encodeURIComponent(projectSlug)}/${path.split('/').map(encodeURIComponent).join('%252F')}`;
  }

  user(username: string): string {
    return this.api(`users/${encodeURIComponent(username)}/`);
  }

  project(slug: string): string {
    return this.api(`projects/${encodeURIComponent(slug)}/`);
  }

  component(projectSlug: string, path: string): string {
    return this.api(`components/${Links.componentPath(projectSlug, path)}/`);
  }

  translation(projectSlug: string, path: string, language: string): string {
    return this.api(`translations/${Links.componentPath(projectSlug, path)}/${encodeURIComponent(language)}/`);
  }

  language(code: string): string {
    return this.api(`languages/${encodeURIComponent(code)}/`);
  }

  unit(id: number): string {
    return this.api(`units/${id}/`);
  }

  check(id: string): string {
    return this.api(`checks/${encodeURIComponent(id)}/`);
  }

  change(id: number): string {
    return this.api(`changes/${id}/`);
  }

  task(id: string): string {
    return this.api(`tasks/${id}/`);
  }

  category(id: number): string {
    return this.api(`categories/${id}/`);
  }

  group(id: number): string {
    return this.api(`groups/${id}/`);
  }

  role(id: number): string {
    return this.api(`roles/${id}/`);
  }

  componentList(slug: string): string {
    return this.api(`component-lists/${encodeURIComponent(slug)}/`);
  }

  screenshot(id: number): string {
    return this.api(`screenshots/${id}/`);
  }

  font(project: string, id: number): string {
    return this.api(`projects/${encodeURIComponent(project)}/fonts/${id}/`);
  }

  addon(id: number): string {
    return this.api(`addons/${id}/`);
  }

  /** An address for browsers. */
  web(path: string): string {
    return `${this.base}/${path}`;
  }
}

/** ISO 8601 in UTC with microseconds; null for 0. */
export function timestamp(ms: number): string | null {
  return ms === 0 ? null : new Date(ms).toISOString().replace('Z', '000Z');
}
