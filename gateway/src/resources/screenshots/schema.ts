import { z } from 'zod';
import { apiUrl, flag, id, text } from '../../responses/schema';

const url = (path = '') => apiUrl(`screenshots/1/${path}`);

export const screenshotSchema = z
  .strictObject({
    id,
    name: text,
    repository_filename: text,
    component: apiUrl('components/app/web/'),
    translation: apiUrl('translations/app/web/cs/'),
    file_url: url('file/'),
    units: z.array(apiUrl('units/1/')),
    url: url(),
  })
  .meta({ id: 'Screenshot' });

export const newScreenshotSchema = screenshotSchema.extend({ image: url('file/') }).meta({ id: 'NewScreenshot' });

export const imageResultSchema = z.strictObject({ result: flag });
