import type { Call, Reply } from '../../routing/call';
import type { Place } from '../places';
import { projectLanguagePage } from './project-languages';
import { componentPage, translationPage, categoryPage } from './components';

/** A component, a translation, a category, or a language of a project. */
export function placePage(call: Call, place: Place): Promise<Reply> {
  switch (place.kind) {
    case 'component':
      return componentPage(call, place.component);
    case 'translation':
      return translationPage(call, place.component, place.language);
    case 'category':
      return categoryPage(call, place.category);
    case 'project language':
      return projectLanguagePage(call, place.language);
  }
}
