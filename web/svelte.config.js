import { vitePreprocess } from '@sveltejs/vite-plugin-svelte';
import { basename } from 'node:path';

/** The class that scopes a component's styles: its name, the only one with a capital, and in a script shorter than a hash. */
const cssHash = ({ filename }) => basename(filename, '.svelte');

export default { preprocess: vitePreprocess({ script: false }), compilerOptions: { runes: true, cssHash } };
