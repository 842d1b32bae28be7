import type { Caller } from '@parlance/access';
import type { Author } from '../domain/unit';

export function authorOf({ userId, username, fullName, email }: Caller): Author {
  return { userId, username, fullName, email };
}
