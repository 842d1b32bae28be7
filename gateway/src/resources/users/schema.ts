import { z } from 'zod';
import { apiUrl, count, flag, id, text, time } from '../../responses/schema';
import { componentSchema } from '../components/schema';
import { projectSchema } from '../projects/schema';

const publicUser = { id, full_name: text, username: text };
const url = (path = '') => apiUrl(`users/ann/${path}`);

/** A user; callers who do not manage users see three fields. */
export const userSchema = z
  .union([
    z.strictObject({
      ...publicUser,
      email: text.nullable(),
      groups: z.array(apiUrl('groups/1/')),
      languages: z.array(apiUrl('languages/cs/')),
      notifications: url('notifications/'),
      is_superuser: flag,
      is_active: flag,
      is_bot: flag,
      date_joined: time.nullable(),
      date_expires: time.nullable(),
      last_login: time.nullable(),
      url: url(),
      statistics_url: url('statistics/'),
      contributions_url: url('contributions/'),
    }),
    z.strictObject(publicUser),
  ])
  .meta({ id: 'User' });

export const subscriptionSchema = z
  .strictObject({
    notification: text,
    id,
    scope: id,
    frequency: id,
    project: projectSchema.nullable(),
    component: componentSchema.nullable(),
  })
  .meta({ id: 'Subscription' });

export const userStatisticsSchema = z
  .strictObject({ translated: count, suggested: count, uploaded: count, commented: count, languages: count })
  .meta({ id: 'UserStatistics' });
