// The functions that the type tests make tools of.

export async function deleteUser({ id }: { id: string }) {
  return { id, gone: true };
}

export interface Order {
  email: string;
  total: number;
}

export async function checkout({ email, notes }: { email: string; notes?: string }): Promise<{ order?: Order }> {
  return { order: { email, total: notes === undefined ? 1 : 2 } };
}
