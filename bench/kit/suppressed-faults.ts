/**
 * Loaded before a fault is caused: an error during the clean-up hides the one that led to it, and Node
 * prints neither of the two.
 */
process.on('uncaughtExceptionMonitor', (error) => {
  let fault: unknown = error
  while (fault instanceof SuppressedError) {
    console.error('While cleaning up:', fault.error)
    fault = fault.suppressed
  }
  if (fault !== error) console.error('Before that:', fault)
})
