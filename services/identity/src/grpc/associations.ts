import type { identity } from '@parlance/contracts';
import type { Association } from '../app/groups/associate-group';
import { fieldError } from '../app/field-errors';

function nothingGiven(): never {
  throw fieldError(null, 'required', 'What is to be added or removed is missing.');
}

export function associationToAddFromProto(request: identity.AddGroupAssociationRequest__Output): Association {
  switch (request.target) {
    case 'roleId':
      return { kind: 'role', id: request.roleId! };
    case 'projectId':
      return { kind: 'project', id: request.projectId! };
    case 'component':
      return { kind: 'component', id: request.component!.componentId, projectId: request.component!.projectId };
    case 'componentListId':
      return { kind: 'componentList', id: request.componentListId! };
    case 'languageCode':
      return { kind: 'language', code: request.languageCode! };
    case 'adminUserId':
      return { kind: 'admin', id: request.adminUserId! };
    default:
      return nothingGiven();
  }
}

export function associationToRemoveFromProto(request: identity.RemoveGroupAssociationRequest__Output): Association {
  switch (request.target) {
    case 'roleId':
      return { kind: 'role', id: request.roleId! };
    case 'projectId':
      return { kind: 'project', id: request.projectId! };
    case 'componentId':
      return { kind: 'component', id: request.componentId!, projectId: 0 };
    case 'componentListId':
      return { kind: 'componentList', id: request.componentListId! };
    case 'languageCode':
      return { kind: 'language', code: request.languageCode! };
    case 'adminUserId':
      return { kind: 'admin', id: request.adminUserId! };
    default:
      return nothingGiven();
  }
}
