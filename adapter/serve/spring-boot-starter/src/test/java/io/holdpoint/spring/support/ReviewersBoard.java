package io.holdpoint.spring.support;

import io.holdpoint.reach.ApprovalNotifier;
import io.holdpoint.reach.Notice;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.springframework.stereotype.Component;

// readme
@Component
class ReviewersBoard implements ApprovalNotifier {

    final BlockingQueue<Notice> notices = new LinkedBlockingQueue<>();

    @Override
    public void tell(Notice notice) {
        notices.add(notice);
    }
}
// end
