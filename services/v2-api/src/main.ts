import { runApi } from '@busbar/api';
import { createV2Api } from './service';

void runApi('v2-api', createV2Api);
