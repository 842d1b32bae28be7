export * from './formula';
export * from './plural-types';
export * from './languages';
export * from './codes';
export * from './code-styles';
export * from './millions';
