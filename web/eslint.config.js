// What the types cannot find: forgotten promises, keys of lists, names nobody uses, markup that says nothing to a screen reader.

import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import ts from 'typescript-eslint';
import svelteConfig from './svelte.config.js';

export default ts.config(
  { ignores: ['dist', 'test-results', 'node_modules', 'src/lib/wire.ts'] },
  ...ts.configs.recommended,
  ...svelte.configs.recommended,
  {
    languageOptions: { globals: { ...globals.browser, ...globals.node } },
    rules: {
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      // The page has addresses of its own; the path that the hall stands under is in src/lib/base.ts.
      'svelte/no-navigation-without-resolve': 'off',
      // Copies of sets and maps are replaced whole (`$state.raw`); they need not be watched inside.
      'svelte/prefer-svelte-reactivity': 'off',
      // A blank before a comma or a dot that must stay is written as text.
      'svelte/no-useless-mustaches': 'off',
      // It takes the reason after an ignore for names of warnings.
      'svelte/no-unused-svelte-ignore': 'off',
    },
  },
  {
    files: ['src/**/*.ts', 'src/**/*.svelte'],
    languageOptions: { parserOptions: { projectService: true, extraFileExtensions: ['.svelte'], tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
    },
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser, svelteConfig } },
    // The compiler's warnings, those about accessibility among them.
    rules: { 'svelte/valid-compile': ['error', { ignoreWarnings: false }] },
  },
);
