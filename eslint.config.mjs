import { defineConfig } from 'eslint/config';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

const PATTERNS = 'Use @parlance/patterns: patterns of users and files run on RE2, constants go through ownRegExp.';

// Packages that are linted with type information. A package joins once it is free of findings.
const TYPED = ['{libs,services}/*', 'gateway'];

export default defineConfig(
  {
    ignores: [
      '**/dist/**',
      '**/node_modules/**',
      'libs/contracts/src/generated/**',
      '.data/**',
      '**/testdata/**',
      '**/corpus/**',
    ],
  },
  ...tseslint.configs.recommended,
  {
    files: ['**/*.ts'],
    languageOptions: { parserOptions: { projectService: false } },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrors: 'none' },
      ],
      'no-console': 'error',
      'no-warning-comments': ['error', { terms: ['todo', 'fixme', 'xxx'], location: 'start' }],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      // Control characters are what many rules of formats and addresses look for.
      'no-control-regex': 'off',
      'prefer-const': 'error',
    },
  },
  {
    files: TYPED.map((folder) => `${folder}/src/**/*.ts`),
    ignores: ['**/*.test.ts', '**/src/testing/**'],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/no-unnecessary-condition': ['error', { allowConstantLoopConditions: true }],
    },
  },
  {
    files: TYPED.map((folder) => `${folder}/src/**/*.ts`),
    ignores: ['**/*.test.ts', '**/src/testing/**'],
    rules: { 'max-lines': ['error', 400], 'max-lines-per-function': ['error', 60] },
  },
  {
    // A pattern from user input must not run in a backtracking engine.
    files: ['{libs,services}/*/src/**/*.ts', 'gateway/src/**/*.ts'],
    ignores: ['**/*.test.ts', 'libs/patterns/src/own.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        { selector: 'NewExpression[callee.name="RegExp"]', message: PATTERNS },
        { selector: 'CallExpression[callee.name="RegExp"]', message: PATTERNS },
        { selector: 'CallExpression[callee.property.name="compile"][callee.object.regex]', message: PATTERNS },
        // match, matchAll and search compile a string.
        {
          selector:
            'CallExpression[callee.property.name=/^(match|matchAll|search)$/][arguments.length=1] > :matches(TemplateLiteral, BinaryExpression, Literal[value.length>=0]).arguments',
          message: PATTERNS,
        },
        {
          selector: 'ImportDeclaration[source.value=/^(node:)?vm$/]',
          message: 'A time limit still holds the event loop. Use @parlance/patterns or a worker thread.',
        },
      ],
      'no-restricted-imports': ['error', { paths: [{ name: 're2js', message: PATTERNS }] }],
    },
  },
  { files: ['libs/patterns/src/**/*.ts'], rules: { 'no-restricted-imports': 'off' } },
  {
    files: ['{libs,services}/*/src/**/*.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        ...['deleteOne', 'findOneAndDelete'].map((property) => ({
          property,
          message: 'On FerretDB it deletes nothing while another client updates the document. Use deleteMany.',
        })),
      ],
    },
  },
  {
    // Literals that take quadratic time or worse on long hostile texts.
    files: ['{libs,services}/*/src/**/*.ts', 'gateway/src/**/*.ts'],
    ignores: ['**/*.test.ts', '**/src/testing/**', 'libs/testing/**'],
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential', ignoreSticky: true }],
    },
  },
  { files: ['**/*.{js,cjs,mjs}'], rules: { '@typescript-eslint/no-require-imports': 'off' } },
);
