export { Announced } from './announced';
export { MemoryAuditStore } from './audit-store';
export { MemoryGroupStore } from './group-store';
export { MemoryMailStore } from './mail-store';
export { MemoryProgressStore } from './progress-store';
export { MemoryProjectStore } from './project-store';
export { MemoryRoleStore } from './role-store';
export { MemoryUserStore } from './user-store';
