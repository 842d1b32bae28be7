/** Runs jobs, several at a time; answers what they answered, in their order. */
export async function together(jobs, width = 12) {
  const results = [];
  let next = 0;
  const worker = async () => {
    while (next < jobs.length) {
      const at = next++;
      results[at] = await jobs[at]();
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
  return results;
}
