import type { Component } from '../../domain/component';
import type { Catalog, CatalogInvalidation } from '../../domain/ports';
import type { ProjectFontsCache } from './project-fonts-cache';

interface ComponentSettings extends Catalog, CatalogInvalidation {
  named(projectSlug: string, path: string): Promise<Component | null>;
}

/** Settings of components with the fonts of their projects. */
export class CatalogWithFonts implements ComponentSettings {
  constructor(
    private readonly settings: ComponentSettings,
    private readonly fonts: Pick<ProjectFontsCache, 'of'>,
  ) {}

  async component(id: number, generation: string): Promise<Component | null> {
    return this.withFonts(await this.settings.component(id, generation));
  }

  async named(projectSlug: string, path: string): Promise<Component | null> {
    return this.withFonts(await this.settings.named(projectSlug, path));
  }

  forget(id: number): void {
    this.settings.forget(id);
  }

  forgetAll(): void {
    this.settings.forgetAll();
  }

  private async withFonts(component: Component | null): Promise<Component | null> {
    const fonts = component && (await this.fonts.of(component.project));
    return fonts ? { ...component, fonts } : component;
  }
}
