import type { Connection } from 'mongoose';
import { attemptModel } from './attempt-store';
import { auditModel } from './audit-store';
import { groupModel } from './group-store';
import { mailModel } from './mail-store';
import { projectModel } from './project-store';
import { roleModel } from './role-store';
import { userModel } from './user-store';
import { webCredentialModel } from './web-credential-store';

/** The models that have indexes. */
export const makeModels = (connection: Connection) => ({
  attempts: attemptModel(connection),
  audit: auditModel(connection),
  groups: groupModel(connection),
  mails: mailModel(connection),
  projects: projectModel(connection),
  roles: roleModel(connection),
  users: userModel(connection),
  webCredentials: webCredentialModel(connection),
});
