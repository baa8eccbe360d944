/** Encodes bytes in Base64. */
export function base64(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

/** Returns a file as it is sent to the hall: as text if it is UTF-8, otherwise in Base64. */
export function content(bytes: Uint8Array): { content: string; base64: boolean } {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (!text.includes('\0')) return { content: text, base64: false };
  } catch {
    // Not UTF-8: the hall tries other encodings.
  }
  return { content: base64(bytes), base64: true };
}
