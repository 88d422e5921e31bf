// Texts of the bands of states.
export const bandsTexts = {
  period: 'Period',
  periods: { day: 'Last 24 hours', week: 'Last 7 days', month: 'Last 30 days' },
  connectionsFailed: 'The connections could not be read',
  failed: 'The states could not be read',
  connection: 'Connection',
  nothing: 'Nothing was reported in this time.',
  moment: 'Frames at',
  showFrames: 'Show frames',
  toFrames: 'to the frames of its beginning',
  band: (state: string, from: string, duration: string) => `${state} from ${from}, for ${duration}`,
} as const;
