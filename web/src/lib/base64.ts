/** Bytes as text that JSON can carry. */
export function base64(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

/** A file as it is sent to the hall: as text where it is UTF-8, else as its bytes. */
export function content(bytes: Uint8Array): { content: string; base64: boolean } {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (!text.includes('\0')) return { content: text, base64: false };
  } catch {
    // Not UTF-8: the hall tries what else it may be.
  }
  return { content: base64(bytes), base64: true };
}
