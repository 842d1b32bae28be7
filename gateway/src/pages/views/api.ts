export const apiView = '';
