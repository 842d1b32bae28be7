/** Runs jobs with limited concurrency. Returns their results in order of the jobs. */
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
